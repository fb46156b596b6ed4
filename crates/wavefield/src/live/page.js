"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const HEAD = 10;
  const MAGIC = 0x31504657;
  /** Seconds of the strip of levels. */
  const PAST = 20;

  let about = null;
  let socket = null;
  let paused = false;
  let frequency = 0;
  let span = 20;
  let picture = null;
  let top = null;
  let pointer = null;
  let skipped = 0;
  let arrivals = [];
  let history = [];
  let drawing = false;
  let unseen = 0;

  // Color map of the reports: a curve in OKLab of increasing lightness, from violet over teal and green to yellow.
  const colours = (() => {
    const chroma = [0.132, 0.124, 0.112, 0.099, 0.094, 0.108, 0.132, 0.148, 0.158];
    const lab = (t) => {
      const hue = ((302 - 202 * t) * Math.PI) / 180;
      const at = t * (chroma.length - 1);
      const i = Math.min(chroma.length - 2, Math.floor(at));
      const part = at - i;
      const smooth = part * part * (3 - 2 * part);
      const c = chroma[i] * (1 - smooth) + chroma[i + 1] * smooth;
      return [0.3 + 0.63 * t, c * Math.cos(hue), c * Math.sin(hue)];
    };
    const srgb = (v) => Math.round(255 * Math.max(0, Math.min(1, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));
    const rgb = ([lightness, a, b]) => {
      const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
      const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
      const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
      return [
        srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        srgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
      ];
    };
    const fine = 2048;
    const travelled = [0];
    for (let i = 1; i <= fine; i++) {
      const [p, q] = [lab((i - 1) / fine), lab(i / fine)];
      travelled.push(travelled[i - 1] + Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]));
    }
    const table = [];
    for (let i = 0, at = 0; i < 256; i++) {
      const wanted = (travelled[fine] * i) / 255;
      while (at < fine - 1 && travelled[at + 1] < wanted) at++;
      table.push(rgb(lab((at + (wanted - travelled[at]) / (travelled[at + 1] - travelled[at])) / fine)));
    }
    return table;
  })();
  /** The same as pixels of an image on a little-endian machine. */
  const packed = new Uint32Array(colours.map(([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r));
  const colour = (part) => colours[Math.round(255 * Math.max(0, Math.min(1, part)))];

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hertz = (f) => (f >= 1000 ? `${(f / 1000).toFixed(2)} kHz` : `${f.toFixed(0)} Hz`);
  const minus = (text) => text.replace("-", "−");
  const say = (wish) => socket && socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(wish));

  function connect() {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => (typeof data === "string" ? told(JSON.parse(data)) : seen(data));
    socket.onclose = () => {
      by("state").textContent = "the stream has ended";
      by("state").className = "live-state is-over";
      setTimeout(connect, 2000);
    };
  }

  function told(message) {
    if (message.error) {
      by("state").textContent = message.error;
      return;
    }
    about = message;
    if (about.title) by("title").textContent = document.title = about.title;
    by("subtitle").textContent =
      `${about.rows} × ${about.columns} microphones, ${(1000 * about.pitch).toFixed(0)} mm apart, ` +
      `${(1000 * about.height).toFixed(0)} mm above the sources`;
    const choices = by("frequencies");
    choices.replaceChildren(
      ...about.frequencies.map((f, i) => {
        const button = document.createElement("button");
        button.textContent = hertz(f);
        button.onclick = () => choose(i);
        return button;
      })
    );
    const plane = by("plane");
    plane.max = Math.floor(1000 * about.height);
    plane.value = Math.round(1000 * about.plane);
    by("state").className = "live-state is-live";
    by("state").textContent = paused ? "paused" : "live";
    [skipped, unseen, picture, top, history, arrivals] = [0, 0, null, null, [], []];
    choose(Math.min(frequency, about.frequencies.length - 1));
    say({ pause: paused });
  }

  function choose(i) {
    frequency = i;
    top = null;
    history = [];
    [...by("frequencies").children].forEach((button, k) => button.setAttribute("aria-pressed", k === i));
    say({ frequency: i });
  }

  function seen(data) {
    unseen += 1;
    const words = new DataView(data);
    const whole = (i) => words.getUint32(4 * i, true);
    const real = (i) => words.getFloat32(4 * i, true);
    if (whole(0) !== MAGIC || whole(2) !== frequency) return later();
    const number = whole(1);
    const now = performance.now();
    if (picture && !picture.afterPause) skipped += Math.max(0, number - picture.number - 1);
    const [rows, columns] = [whole(3), whole(4)];
    picture = {
      number,
      rows,
      columns,
      highest: real(5),
      plane: real(6),
      pace: real(7),
      hop: real(8),
      dropped: whole(9),
      levels: new Float32Array(data, 4 * HEAD, rows * columns),
    };
    arrivals.push(now);
    while (arrivals[0] < now - 1000) arrivals.shift();
    history.push([now, picture.highest]);
    while (history[0][0] < now - 1000 * PAST) history.shift();
    // The scale rises at once and falls by 3 dB/s, so that colors do not flicker.
    const sinking = top === null ? -Infinity : top.level - (3 * (now - top.at)) / 1000;
    top = { at: now, level: Math.max(picture.highest, sinking) };
    later();
  }

  /** Draws once, however much has come until then, and asks for the next. */
  function later() {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      draw();
      const count = unseen;
      unseen = 0;
      if (count) say({ seen: count });
    });
  }

  /** Weights of four neighbours, by Catmull and Rom. */
  const weights = (t) => [
    ((2 - t) * t - 1) * t * 0.5,
    ((3 * t - 5) * t * t + 2) * 0.5,
    ((4 - 3 * t) * t + 1) * t * 0.5,
    (t - 1) * t * t * 0.5,
  ];

  /** Levels between microphones: along rows, then along columns. */
  function interpolated({ levels, rows, columns }, width, height, floor) {
    const clip = (v) => Math.max(v, floor - 10);
    const across = new Float32Array(rows * width);
    for (let x = 0; x < width; x++) {
      const at = (x * (columns - 1)) / (width - 1);
      const i = Math.min(columns - 2, Math.floor(at));
      const w = weights(at - i);
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += w[k] * clip(levels[row * columns + Math.max(0, Math.min(columns - 1, i + k - 1))]);
        across[row * width + x] = sum;
      }
    }
    const out = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      const at = (y * (rows - 1)) / (height - 1);
      const i = Math.min(rows - 2, Math.floor(at));
      const w = weights(at - i);
      const lines = [-1, 0, 1, 2].map((k) => width * Math.max(0, Math.min(rows - 1, i + k)));
      for (let x = 0; x < width; x++) {
        out[y * width + x] =
          w[0] * across[lines[0] + x] + w[1] * across[lines[1] + x] + w[2] * across[lines[2] + x] + w[3] * across[lines[3] + x];
      }
    }
    return out;
  }

  const tile = document.createElement("canvas");

  /** A canvas of as many pixels as it is shown with. */
  function sized(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `12px ${style("--wf-sans")}`;
    return pen;
  }

  /** Where the field stands on its canvas. */
  function frame() {
    const width = by("field").clientWidth;
    const [edge, right, above, below] = [46, 78, 10, 40];
    const across = (about.columns - 1) * about.pitch;
    const down = (about.rows - 1) * about.pitch;
    const room = Math.max(320, window.innerHeight - 250);
    const scale = Math.min((width - edge - right) / across, (room - above - below) / down);
    const left = edge + (width - edge - right - scale * across) / 2;
    return { width, left, above, below, across, down, w: scale * across, h: scale * down, scale };
  }

  function draw() {
    // Without a picture of the selected frequency there is no scale.
    if (!picture || !about || !top) return;
    const place = frame();
    const canvas = by("field");
    const tall = place.h + place.above + place.below;
    canvas.style.height = `${tall}px`;
    const pen = sized(canvas, place.width, tall);
    const [ink, muted] = [style("--wf-ink"), style("--wf-muted")];
    const high = top.level;
    const floor = high - span;

    const fine = Math.max(1, Math.ceil(256 / Math.max(picture.rows, picture.columns)));
    const [fw, fh] = [picture.columns * fine, picture.rows * fine];
    const levels = interpolated(picture, fw, fh, floor);
    const image = new ImageData(fw, fh);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < levels.length; i++) {
      const part = (levels[i] - floor) / span;
      pixels[i] = packed[part <= 0 ? 0 : part >= 1 ? 255 : (255 * part + 0.5) | 0];
    }
    [tile.width, tile.height] = [fw, fh];
    tile.getContext("2d").putImageData(image, 0, 0);
    pen.imageSmoothingQuality = "high";
    pen.drawImage(tile, place.left, place.above, place.w, place.h);
    pen.strokeStyle = muted;
    pen.strokeRect(place.left + 0.5, place.above + 0.5, place.w - 1, place.h - 1);

    axes(pen, place, ink, muted);
    scaleBar(pen, place, high, ink, muted);
    loudest(pen, place);
    strip();
    numbers();
    document.body.dataset.pictures = picture.number;
  }

  function axes(pen, place, ink, muted) {
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((s) => place.scale * s >= 48) || 2;
    pen.fillStyle = ink;
    pen.strokeStyle = muted;
    pen.textBaseline = "top";
    pen.textAlign = "center";
    pen.beginPath();
    for (let k = -Math.floor(place.across / 2 / step); k * step <= place.across / 2 + 1e-9; k++) {
      const x = place.left + place.scale * (k * step + place.across / 2);
      pen.moveTo(x, place.above + place.h);
      pen.lineTo(x, place.above + place.h + 4);
      pen.fillText(minus(`${Math.round(100 * k * step)}`), x, place.above + place.h + 7);
    }
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let k = -Math.floor(place.down / 2 / step); k * step <= place.down / 2 + 1e-9; k++) {
      const y = place.above + place.scale * (place.down / 2 - k * step);
      pen.moveTo(place.left - 4, y);
      pen.lineTo(place.left, y);
      pen.fillText(minus(`${Math.round(100 * k * step)}`), place.left - 8, y);
    }
    pen.stroke();
    pen.fillStyle = muted;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    pen.fillText("x, cm", place.left + place.w / 2, place.above + place.h + 23);
    pen.save();
    pen.translate(place.left - 44, place.above + place.h / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText("y, cm", 0, 0);
    pen.restore();
  }

  function scaleBar(pen, place, high, ink, muted) {
    const [x, w] = [place.left + place.w + 16, 14];
    for (let i = 0; i < place.h; i++) {
      pen.fillStyle = `rgb(${colour(1 - i / (place.h - 1)).join(" ")})`;
      pen.fillRect(x, place.above + i, w, 1.5);
    }
    pen.strokeStyle = muted;
    pen.strokeRect(x + 0.5, place.above + 0.5, w - 1, place.h - 1);
    const step = span > 15 ? 5 : 2;
    pen.fillStyle = ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    for (let level = Math.ceil((high - span) / step) * step; level <= high; level += step) {
      const y = place.above + (place.h * (high - level)) / span;
      if (y < place.above + 2 || y > place.above + place.h - 2) continue;
      pen.fillRect(x + w, y - 0.5, 4, 1);
      pen.fillText(minus(`${level}`), x + w + 7, y);
    }
    pen.fillStyle = muted;
    pen.textBaseline = "top";
    pen.fillText("dB", x, place.above + place.h + 7);
  }

  const at = (i) => ({
    x: ((i % picture.columns) - (picture.columns - 1) / 2) * about.pitch,
    y: ((picture.rows - 1) / 2 - Math.floor(i / picture.columns)) * about.pitch,
  });

  function loudest(pen, place) {
    const i = picture.levels.indexOf(Math.max(...picture.levels));
    const { x, y } = at(i);
    const [px, py] = [place.left + place.scale * (x + place.across / 2), place.above + place.scale * (place.down / 2 - y)];
    for (const [width, tint] of [[4, "rgb(0 0 0 / 55%)"], [2, "#ffffff"]]) {
      pen.lineWidth = width;
      pen.strokeStyle = tint;
      pen.beginPath();
      pen.arc(px, py, 9, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.lineWidth = 1;
    by("where").textContent = minus(`re 20 µPa, maximum at x = ${(100 * x).toFixed(0)} cm, `) + minus(`y = ${(100 * y).toFixed(0)} cm`);
  }

  function strip() {
    const canvas = by("history");
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    const pen = sized(canvas, w, h);
    if (history.length < 2) return;
    const values = history.map(([, level]) => level);
    const middle = (Math.max(...values) + Math.min(...values)) / 2;
    const half = Math.max(6, (Math.max(...values) - Math.min(...values)) / 2 + 1);
    const now = history[history.length - 1][0];
    pen.strokeStyle = style("--wf-rule-strong");
    pen.beginPath();
    pen.moveTo(0, h - 0.5);
    pen.lineTo(w, h - 0.5);
    pen.stroke();
    pen.strokeStyle = style("--wf-accent");
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    pen.beginPath();
    history.forEach(([time, level], i) => {
      const x = w - (w * (now - time)) / (1000 * PAST);
      const y = h / 2 - ((level - middle) / half) * (h / 2 - 4);
      i ? pen.lineTo(x, y) : pen.moveTo(x, y);
    });
    pen.stroke();
  }

  function numbers() {
    const set = (id, text, bad) => {
      by(id).textContent = text;
      by(id).classList.toggle("is-bad", Boolean(bad));
    };
    set("level", minus(picture.highest.toFixed(1)));
    set("rate", paused ? "0" : `${arrivals.length}`);
    set("pace", (100 * picture.pace).toFixed(0), picture.pace < 0.97);
    set("hop", picture.hop ? picture.hop.toFixed(2) : "–", picture.hop > 0.683);
    set("dropped", `${picture.dropped}`, picture.dropped > 0);
    set("skipped", `${skipped}`, skipped > 0);
    const wanted = by("plane");
    if (document.activeElement !== wanted) wanted.value = Math.round(1000 * picture.plane);
    by("plane-value").textContent = `${(1000 * picture.plane).toFixed(0)} mm above the sources`;
    readout();
  }

  function readout() {
    let text = "Point at the image to read the level.";
    if (pointer && picture && about) {
      const place = frame();
      const column = Math.round((pointer.x - place.left) / place.scale / about.pitch);
      const row = Math.round((pointer.y - place.above) / place.scale / about.pitch);
      if (row >= 0 && row < picture.rows && column >= 0 && column < picture.columns) {
        const i = row * picture.columns + column;
        const { x, y } = at(i);
        text = minus(`x = ${(100 * x).toFixed(0)} cm, `) + minus(`y = ${(100 * y).toFixed(0)} cm: `) + minus(`${picture.levels[i].toFixed(1)} dB`);
      }
    }
    by("readout").textContent = text;
  }

  by("pause").onclick = () => {
    paused = !paused;
    if (picture) picture.afterPause = true;
    by("pause").setAttribute("aria-pressed", paused);
    by("pause").textContent = paused ? "Resume" : "Pause";
    by("state").textContent = paused ? "paused" : "live";
    say({ pause: paused });
  };
  by("save").onclick = () => {
    const link = document.createElement("a");
    link.download = "field.png";
    link.href = by("field").toDataURL("image/png");
    link.click();
  };
  by("plane").oninput = (event) => say({ plane: event.target.value / 1000 });
  for (const button of by("spans").children) {
    button.onclick = () => {
      span = Number(button.dataset.span);
      for (const other of by("spans").children) other.setAttribute("aria-pressed", other === button);
      later();
    };
  }
  by("field").onpointermove = (event) => {
    pointer = { x: event.offsetX, y: event.offsetY };
    readout();
  };
  by("field").onpointerleave = () => {
    pointer = null;
    readout();
  };
  addEventListener("resize", later);
  connect();
})();
