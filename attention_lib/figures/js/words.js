// @ts-check
// All words a reader sees in a figure that are not names of the code.

/** @type {Record<string, Record<string, string>>} */
const WORDS = {
  en: {
    example: "example",
    perQuery: "one length per query",
    lengths: "row lengths",
    maskedScores: "masked scores",
    exponentials: "exponentials",
    sum: "sum",
    step: "step",
    back: "Back",
    next: "Next",
    dragEdge: "Drag to change the valid length",
    dragNumber: "Type a number, or drag sideways",
    preset_identical: "identical",
    preset_one_changed: "one changed",
    preset_random: "random",
    preset_own: "your own",
    dragPoint: "Drag it, or type its numbers",
    query: "query",
    mean: "mean",
    plane: "queries and keys in the plane",
    valueLine: "values, their weighted average (output) and their mean",
    temperatureEnds: "0: hard maximum; 1000: nearly the plain average",
    refusedNumber: "a number from {low} to {high}, please; kept {kept}",
    refusedChoice: "{got} is not among the choices; kept {kept}",
    stage0: "The scores: one row for each query, one column for each key. Change any of them.",
    stage1: "Each row gets its length. One length per example is repeated for all of its queries.",
    stage2: "The mask is True where the key's position is smaller than the length of the row.",
    stage3: "Where the mask is False, the score becomes −∞. Nothing can lie below it.",
    stage4:
      "exp(score − largest kept score of the row), and the sum of each row. The largest gives 1, −∞ gives 0.",
    stage5: "Each exponential divided by its row's sum: the weights. Padding weighs exactly 0.",
  },
  zh: {
    example: "样本",
    perQuery: "每个查询各用一个长度",
    lengths: "各行的长度",
    maskedScores: "掩蔽后的分数",
    exponentials: "指数值",
    sum: "和",
    step: "步骤",
    back: "上一步",
    next: "下一步",
    dragEdge: "拖动以改变有效长度",
    dragNumber: "输入数字，或左右拖动",
    preset_identical: "全部相同",
    preset_one_changed: "改动一个",
    preset_random: "随机",
    preset_own: "自己输入",
    dragPoint: "拖动它，或直接输入数字",
    query: "查询",
    mean: "平均值",
    plane: "平面上的查询和键",
    valueLine: "各个值、它们的加权平均（output）和普通平均",
    temperatureEnds: "0：只取分数最大的键；1000：几乎就是普通平均",
    refusedNumber: "请输入 {low} 到 {high} 之间的数；仍为 {kept}",
    refusedChoice: "没有 {got} 这个选项；仍为 {kept}",
    stage0: "分数：每行是一个查询，每列是一个键。任何一个都可以改。",
    stage1: "每一行得到自己的长度。若每个样本只有一个长度，就由它的所有查询共用。",
    stage2: "键的位置小于该行的长度时，掩码为 True。",
    stage3: "掩码为 False 的地方，分数变成 −∞。再没有什么比它更小。",
    stage4: "exp(分数 − 该行保留分数中的最大值)，以及每行的和。这个最大值得到 1，−∞ 得到 0。",
    stage5: "每个指数值除以所在行的和，就是权重。填充的权重恰好是 0。",
  },
};

/** The words of a language, as a function that fills in what varies. @param {string} lang */
export function wordsOf(lang) {
  return (/** @type {string} */ name, /** @type {Record<string, any>} */ values = {}) =>
    WORDS[lang][name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}
