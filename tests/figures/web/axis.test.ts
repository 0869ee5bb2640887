import assert from "node:assert/strict";
import test from "node:test";
import {
  anchorAt,
  axisOf,
  boxOf,
  fitted,
  labelPlaces,
  labelRows,
  nearest,
  overlap,
  widthOf,
  within,
} from "web/maths/axis.ts";
import type { Box, Point } from "web/maths/axis.ts";

test("an axis leads from numbers to places and back, and ends at its edges", () => {
  const axis = axisOf([-2, 2], [0, 100]);
  assert.equal(axis.place(1), 75);
  assert.equal(axis.place(4), 100);
  assert.equal(axis.value(75), 1);
  assert.equal(axis.value(1e6), 2);
  assert.equal(axisOf([-2, 2], [100, 0]).place(1), 25);
  assert.equal(axisOf([-2, 2], [100, 0]).value(25), 1);
  assert.equal(axisOf([-2, 2], [50, 150]).value(125), 1);
  assert.equal(axisOf([0, 1], [0, 3]).value(1), 0.3333);
  assert.equal(axisOf([-5000, 5000], [0, 1]).value(1), 1000); // the limit of typed numbers
  assert.deepEqual(axisOf([0, 0.3], [0, 1]).ticks, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
});

test("edges are round, with room around the numbers", () => {
  assert.deepEqual(fitted([0, 4]), [-1, 5]);
  assert.deepEqual(fitted([2, 2]), [1, 3]);
  assert.deepEqual(fitted([1000, 1000]), [750, 1250]);
});

test("the nearest point is the first of equals, or the one that was taken last", () => {
  const points: Point[] = [[0, 0], [3, 4], [3, 4]]; // prettier-ignore
  assert.equal(nearest(points, [3, 3]), 1);
  assert.equal(nearest(points, [3, 3], 2), 2);
  assert.equal(nearest(points, [3, 3], 0), 1);
  assert.equal(nearest(points.slice(1), [3, 3]), 0);
});

test("labels on a line give way to each other in rows", () => {
  assert.deepEqual(labelRows([10, 12, 40, 11], 5), [0, 1, 0, 2]);
  assert.deepEqual(labelRows([10, 14, 18], 5), [0, 1, 0]);
  assert.equal(anchorAt(50, 90, [0, 300]), "middle");
  assert.equal(anchorAt(40, 90, [0, 300]), "start");
  assert.equal(anchorAt(260, 90, [0, 300]), "end");
});

test("labels that only touch share a row, and one may reach the edge", () => {
  assert.deepEqual(labelRows([10, 15], 5), [0, 0]);
  assert.equal(anchorAt(45, 90, [0, 300]), "middle");
  assert.equal(anchorAt(255, 90, [0, 300]), "middle");
});

test("a letter of full width takes about twice the room of another", () => {
  assert.ok(widthOf("北桥") > 1.8 * widthOf("ab") && widthOf("北桥") < 2 * widthOf("ab"));
});

test("labels of points in one place cover neither each other nor a point, and stay inside", () => {
  const [width, size] = [70, [320, 296] as const];
  for (const points of [
    [
      [160, 100],
      [160, 100],
      [160, 100],
    ],
    [
      [300, 20],
      [300, 20],
    ],
    [
      [10, 280],
      [14, 280],
      [18, 278],
    ],
  ] as Point[][]) {
    // prettier-ignore
    const places = labelPlaces(points, points.map(() => width), size);
    const boxes = places.map((place, i) => boxOf(points[i], place, width));
    boxes.forEach(([left, top, right, bottom], i) => {
      assert.ok(left >= 0 && right <= 320 && top >= 0 && bottom <= 296);
      for (const [x, y] of points) assert.ok(!(x > left && x < right && y > top && y < bottom));
      for (const other of boxes.slice(0, i))
        assert.ok(left >= other[2] || right <= other[0] || top >= other[3] || bottom <= other[1]);
    });
  }
});

test("a label keeps off a line where it can", () => {
  const line: Point[] = Array.from({ length: 9 }, (_, i) => [160 + 8 * i, 100 - 4 * i]);
  const [free] = labelPlaces([[160, 100]], [70], [320, 296]);
  assert.deepEqual(free, { x: 12, y: -8, anchor: "start" });
  const [place] = labelPlaces([[160, 100]], [70], [320, 296], line);
  assert.notDeepEqual(place, free);
});

test("boxes overlap, and points lie within one, where they share more than an edge", () => {
  const box: Box = [10, 20, 30, 40];
  const [wide, high] = [20, 20];
  for (const [right, down] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    const moved = (by: number): Box => [
      10 + right * (wide - by),
      20 + down * (high - by),
      30 + right * (wide - by),
      40 + down * (high - by),
    ];
    assert.equal(overlap(box, moved(0)), false);
    assert.equal(overlap(box, moved(1)), true);
    const beside = (by: number): Point => [20 + right * (10 + by), 30 + down * (10 + by)];
    assert.equal(within(beside(5), box, 5), false);
    assert.equal(within(beside(4), box, 5), true);
    assert.equal(within(beside(0), box, 0), false);
    assert.equal(within(beside(-1), box, 0), true);
  }
});

/** The position of a point's label in a large drawing. */
const placeAt = (
  point: Point,
  { others = [] as Point[], lines = [] as Point[], taken = [] as Box[], width = 1 } = {},
) => labelPlaces([point, ...others], [width, ...others.map(() => 1)], [400, 400], lines, taken)[0];

test("a label's text is to the right, in the middle or to the left of its anchor", () => {
  assert.deepEqual(boxOf([50, 60], { x: 12, y: -8, anchor: "start" }, 30), [62, 41, 92, 55]);
  assert.deepEqual(boxOf([50, 60], { x: 0, y: 24, anchor: "middle" }, 30), [35, 73, 65, 87]);
  assert.deepEqual(boxOf([50, 60], { x: -12, y: -8, anchor: "end" }, 30), [8, 41, 38, 55]);
});

test("a label tries the places around its point, and then those one line farther away", () => {
  const taken: Box[] = [];
  const found = Array.from({ length: 12 }, () => {
    const place = placeAt([200, 200], { taken });
    taken.push(boxOf([200, 200], place, 1));
    return `${place.anchor} ${place.x} ${place.y}`;
  });
  assert.deepEqual(found, [
    "start 12 -8",
    "middle 0 24",
    "end -12 -8",
    "middle 0 -14",
    "start 12 17",
    "end -12 17",
    "start 12 -22",
    "middle 0 38",
    "end -12 -22",
    "middle 0 -28",
    "start 12 31",
    "end -12 31",
  ]);
});

const isFirst = ({ x, y }: { x: number; y: number }) => x === 12 && y === -8;

test("a label keeps 5 pixels off other points, and within the drawing, where it can", () => {
  const [left, right] = [212, 213]; // the edges of its first choice
  assert.ok(isFirst(placeAt([200, 200], { others: [[left - 5, 190]] })));
  assert.ok(!isFirst(placeAt([200, 200], { others: [[left - 4, 190]] })));
  assert.ok(!isFirst(placeAt([200, 200], { others: [[right + 4, 190]] })));
  assert.ok(isFirst(placeAt([400 - 13, 200])));
  assert.ok(!isFirst(placeAt([400 - 12, 200])));
  assert.ok(isFirst(placeAt([200, 19])));
  assert.ok(!isFirst(placeAt([200, 18])));
  // The next choice is below its point, in the middle.
  const first: Box[] = [boxOf([15, 200], { x: 12, y: -8, anchor: "start" }, 30)];
  assert.equal(placeAt([15, 200], { taken: first, width: 30 }).y, 24);
  assert.notEqual(placeAt([14, 200], { taken: first, width: 30 }).y, 24);
  const low: Box[] = [boxOf([200, 373], { x: 12, y: -8, anchor: "start" }, 30)];
  assert.equal(placeAt([200, 373], { taken: low, width: 30 }).y, 24);
  assert.notEqual(placeAt([200, 374], { taken: low, width: 30 }).y, 24);
});

/** The whole drawing except one box. */
const around = ([left, top, right, bottom]: Box): Box[] => [
  [0, 0, 400, top],
  [0, bottom, 400, 400],
  [0, top, left, bottom],
  [right, top, 400, bottom],
];

test("a label covers a line or a point rather than a label, and a label rather than being cut off", () => {
  const below = { x: 0, y: 24, anchor: "middle" as const };
  const taken = around(boxOf([200, 200], below, 1));
  assert.deepEqual(placeAt([200, 200], { taken }), below);
  assert.deepEqual(placeAt([200, 200], { taken, others: [[200, 220]] }), below);
  assert.deepEqual(placeAt([200, 200], { taken, lines: [[200, 220]] }), below);
  const beside = { x: 12, y: -8, anchor: "start" as const };
  assert.deepEqual(placeAt([200, 200], { taken: around(boxOf([200, 200], beside, 1)) }), beside);
  assert.deepEqual(placeAt([390, 200], { taken: around(boxOf([390, 200], beside, 1)) }), below);
});
