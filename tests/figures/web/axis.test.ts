import assert from "node:assert/strict";
import test from "node:test";
import {
  anchorAt,
  axisOf,
  fitted,
  labelPlaces,
  labelRows,
  nearest,
  widthOf,
} from "web/maths/axis.ts";
import type { LabelPlace, Point } from "web/maths/axis.ts";

test("an axis leads from numbers to places and back, and ends at its edges", () => {
  const axis = axisOf([-2, 2], [0, 100]);
  assert.equal(axis.place(1), 75);
  assert.equal(axis.place(4), 100);
  assert.equal(axis.value(75), 1);
  assert.equal(axis.value(1e6), 2);
  assert.equal(axisOf([-2, 2], [100, 0]).place(1), 25);
  assert.equal(axisOf([0, 1], [0, 3]).value(1), 0.3333);
  assert.equal(axisOf([-5000, 5000], [0, 1]).value(1), 1000); // no more than can be typed
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
});

test("labels on a line give way to each other in rows", () => {
  assert.deepEqual(labelRows([10, 12, 40, 11], 5), [0, 1, 0, 2]);
  assert.deepEqual(labelRows([10, 14, 18], 5), [0, 1, 0]);
  assert.equal(anchorAt(50, 90, [0, 300]), "middle");
  assert.equal(anchorAt(40, 90, [0, 300]), "start");
  assert.equal(anchorAt(260, 90, [0, 300]), "end");
});

test("a letter of full width takes about twice the room of another", () => {
  assert.ok(widthOf("北桥") > 1.8 * widthOf("ab") && widthOf("北桥") < 2 * widthOf("ab"));
});

const box = ([x, y]: Point, place: LabelPlace, width: number) => {
  const left = x + place.x - { start: 0, middle: 0.5, end: 1 }[place.anchor] * width;
  return [left, y + place.y - 11, left + width, y + place.y + 3];
};

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
    const boxes = places.map((place, i) => box(points[i], place, width));
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
