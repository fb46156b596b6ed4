/** How the pattern is drawn over the mesh. */
export type PatternLook = "solid" | "translucent" | "hidden";

/** The range a slider covers. */
export interface RangeLimits {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

let controlCount = 0;

/** Creates an element with attributes and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

/** A control for one choice out of several; `set` shows another one without reporting it. */
export interface Selection {
  readonly root: HTMLElement;
  readonly set: (index: number) => void;
}

/** One choice out of several, as a row of joined radio buttons. */
export function choice<Value>(
  legend: string,
  options: readonly { readonly label: string; readonly value: Value }[],
  chosen: Value,
  onChange: (value: Value) => void,
): Selection {
  const group = `wf-choice-${controlCount++}`;
  const inputs = options.map(({ value }) => {
    const input = element("input", { type: "radio", name: group });
    input.checked = value === chosen;
    input.addEventListener("change", () => onChange(value));
    return input;
  });
  const row = options.map(({ label }, i) => element("label", {}, [inputs[i], element("span", {}, [label])]));
  const root = element("fieldset", { class: "wf-choice" }, [
    element("legend", {}, [legend]),
    element("div", { class: "wf-choice-row" }, row),
  ]);
  return { root, set: (index) => (inputs[index].checked = true) };
}

/** One choice out of many, as a menu. */
export function menu(legend: string, options: readonly string[], onChange: (index: number) => void): Selection {
  const select = element("select", {}, options.map((option) => element("option", {}, [option])));
  select.addEventListener("change", () => onChange(select.selectedIndex));
  const root = element("label", { class: "wf-menu" }, [element("span", {}, [legend]), select]);
  return { root, set: (index) => (select.selectedIndex = index) };
}

/** A slider with its value written beside it. */
export function slider(
  legend: string,
  limits: RangeLimits,
  value: number,
  describe: (value: number) => string,
  onInput: (value: number) => void,
): { readonly root: HTMLElement; readonly set: (limits: RangeLimits, value: number) => void } {
  const input = element("input", { type: "range" });
  const output = element("output");
  const show = (): void => {
    output.textContent = describe(input.valueAsNumber);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const set = (next: RangeLimits, nextValue: number): void => {
    input.min = String(next.min);
    input.max = String(next.max);
    input.step = String(next.step);
    input.valueAsNumber = nextValue;
    show();
  };
  set(limits, value);
  input.addEventListener("input", () => {
    show();
    onInput(input.valueAsNumber);
  });
  const root = element("label", { class: "wf-slider" }, [
    element("span", {}, [legend]),
    element("span", { class: "wf-slider-row" }, [input, output]),
  ]);
  return { root, set };
}

export function checkbox(label: string, checked: boolean, onChange: (checked: boolean) => void): HTMLElement {
  const input = element("input", { type: "checkbox" });
  input.checked = checked;
  input.addEventListener("change", () => onChange(input.checked));
  return element("label", { class: "wf-checkbox" }, [input, element("span", {}, [label])]);
}

export function button(label: string, onClick: () => void): HTMLElement {
  const created = element("button", { type: "button", class: "wf-button" }, [label]);
  created.addEventListener("click", onClick);
  return created;
}
