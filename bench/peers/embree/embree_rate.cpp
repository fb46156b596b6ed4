// Rates of Embree's 8-wide packets on the file `trace_rate export` writes.
//
//     embree_rate FILE THREADS REPEATS
//
// Prints the best rates in million rays per second as JSON, for each of Embree's hints (coherent or not) the
// better one. Packets are filled from the grid or the list of rays and their hits are written out, both inside
// the timed loop, as for the other side.

#include <embree3/rtcore.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <thread>
#include <vector>

struct Vector {
  double x, y, z;
};

struct Ray {
  Vector origin, direction;
};

struct Hit {
  float distance, u, v;
  uint32_t triangle;
};

// Work taken in blocks of 1024 packets by threads that live as long as the pool.
class Pool {
 public:
  explicit Pool(int threads) : threads_(threads) {}

  void run(size_t packets, const std::function<void(size_t, size_t)>& work) const {
    const size_t block = 128;
    std::atomic<size_t> next{0};
    auto turn = [&] {
      for (size_t from; (from = block * next++) < packets;) work(from, std::min(from + block, packets));
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads_; ++i) others.emplace_back(turn);
    turn();
    for (auto& other : others) other.join();
  }

 private:
  int threads_;
};

template <class Work>
double best(int repeats, Work work) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
  }
  return least;
}

static void reset(RTCRayHit8& packet, int lane, bool active, const Vector& origin, const Vector& direction) {
  packet.ray.org_x[lane] = float(origin.x);
  packet.ray.org_y[lane] = float(origin.y);
  packet.ray.org_z[lane] = float(origin.z);
  packet.ray.dir_x[lane] = float(direction.x);
  packet.ray.dir_y[lane] = float(direction.y);
  packet.ray.dir_z[lane] = float(direction.z);
  packet.ray.tnear[lane] = 0.0f;
  packet.ray.tfar[lane] = active ? std::numeric_limits<float>::infinity() : -1.0f;
  packet.ray.time[lane] = 0.0f;
  packet.ray.mask[lane] = 0xffffffffu;
  packet.ray.flags[lane] = 0;
  packet.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
  packet.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
}

static void keep(const RTCRayHit8& packet, int lane, Hit& hit) {
  bool missed = packet.hit.geomID[lane] == RTC_INVALID_GEOMETRY_ID;
  hit.distance = packet.ray.tfar[lane];
  hit.u = packet.hit.u[lane];
  hit.v = packet.hit.v[lane];
  hit.triangle = missed ? 0xffffffffu : packet.hit.primID[lane];
}

static size_t found(const std::vector<Hit>& hits) {
  size_t count = 0;
  for (const Hit& hit : hits) count += hit.triangle != 0xffffffffu;
  return count;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: embree_rate FILE THREADS REPEATS\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", argv[1]);
    return 1;
  }
  const int threads = std::atoi(argv[2]), repeats = std::atoi(argv[3]);
  uint64_t counts[4];
  file.read(reinterpret_cast<char*>(counts), sizeof counts);
  const size_t points = counts[0], triangles = counts[1], side = counts[2], rays = counts[3];
  Vector grid[4];
  std::vector<Vector> point(points);
  std::vector<Ray> reflected(rays);
  std::vector<uint32_t> corner(3 * triangles);
  file.read(reinterpret_cast<char*>(grid), sizeof grid);
  file.read(reinterpret_cast<char*>(point.data()), points * sizeof(Vector));
  file.read(reinterpret_cast<char*>(reflected.data()), rays * sizeof(Ray));
  file.read(reinterpret_cast<char*>(corner.data()), corner.size() * sizeof(uint32_t));
  if (!file) {
    std::fprintf(stderr, "%s is too short\n", argv[1]);
    return 1;
  }

  char settings[64];
  std::snprintf(settings, sizeof settings, "threads=%d", threads);
  RTCDevice device = rtcNewDevice(settings);
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), points));
  for (size_t i = 0; i < points; ++i) {
    vertex[3 * i] = float(point[i].x);
    vertex[3 * i + 1] = float(point[i].y);
    vertex[3 * i + 2] = float(point[i].z);
  }
  void* index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                        3 * sizeof(uint32_t), triangles);
  std::memcpy(index, corner.data(), corner.size() * sizeof(uint32_t));
  auto start = std::chrono::steady_clock::now();
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcCommitScene(scene);
  std::chrono::duration<double> build = std::chrono::steady_clock::now() - start;

  const Pool pool(threads);
  const RTCIntersectContextFlags hints[2] = {RTC_INTERSECT_CONTEXT_FLAG_COHERENT,
                                             RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT};
  // Packets of 4 × 2 neighbours in the grid, the most coherent shape; eight in a row in the list.
  std::vector<Hit> hits(side * side);
  double primary = 0.0;
  for (auto hint : hints) {
    double time = best(repeats, [&] {
      pool.run(side / 4 * (side / 2), [&](size_t from, size_t to) {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        context.flags = hint;
        alignas(64) RTCRayHit8 packet;
        alignas(64) int valid[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
        for (size_t number = from; number < to; ++number) {
          size_t column = number % (side / 4) * 4, row = number / (side / 4) * 2;
          for (int lane = 0; lane < 8; ++lane) {
            double i = double(column + lane % 4), j = double(row + lane / 4);
            Vector origin{grid[0].x + j * grid[2].x + i * grid[1].x, grid[0].y + j * grid[2].y + i * grid[1].y,
                          grid[0].z + j * grid[2].z + i * grid[1].z};
            reset(packet, lane, true, origin, grid[3]);
          }
          rtcIntersect8(valid, scene, &context, &packet);
          for (int lane = 0; lane < 8; ++lane)
            keep(packet, lane, hits[(row + lane / 4) * side + column + lane % 4]);
        }
      });
    });
    primary = std::max(primary, double(side * side) / time * 1e-6);
  }
  const size_t primary_hits = found(hits);

  hits.assign(rays, Hit{});
  double bounced = 0.0;
  for (auto hint : hints) {
    double time = best(repeats, [&] {
      pool.run((rays + 7) / 8, [&](size_t from, size_t to) {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        context.flags = hint;
        alignas(64) RTCRayHit8 packet;
        alignas(64) int valid[8];
        for (size_t number = from; number < to; ++number) {
          for (int lane = 0; lane < 8; ++lane) {
            size_t ray = 8 * number + lane;
            bool active = ray < rays;
            valid[lane] = active ? -1 : 0;
            const Ray& from_list = reflected[active ? ray : 0];
            reset(packet, lane, active, from_list.origin, from_list.direction);
            // A float's origin is not on its triangle: some way off is the usual remedy.
            packet.ray.tnear[lane] = 1e-4f;
          }
          rtcIntersect8(valid, scene, &context, &packet);
          for (int lane = 0; lane < 8 && 8 * number + lane < rays; ++lane) keep(packet, lane, hits[8 * number + lane]);
        }
      });
    });
    bounced = std::max(bounced, double(rays) / time * 1e-6);
  }
  std::printf("{\"primary\": %.3f, \"reflected\": %.3f, \"primary_hits\": %zu, \"reflected_hits\": %zu, \"build\": %.3f}\n",
              primary, bounced, primary_hits, found(hits), build.count());
  rtcReleaseGeometry(geometry);
  rtcReleaseScene(scene);
  rtcReleaseDevice(device);
  return 0;
}
