// @ts-check
// The words of the menu below a figure, and those in the programs that it gives away.

/** @type {Record<string, Record<string, string>>} */
export const SHARING_WORDS = {
  en: {
    programIs: "The numbers of a figure of the course. attention_lib comes with its notebooks.",
    noKey: "any number for a row that keeps no key",
    withoutTanh: "additive without its tanh",
    barsOfScores:
      "counts of scores in bars half a standard deviation wide, around −8 … 8 deviations",
    upToDraw: "draws 1 to {n}",
    fromTheModel: "computed by the trained model, which is too large to stand here",
    copyProgram: "Copy as PyTorch",
    downloadSvg: "Download SVG",
    downloadPng: "Download PNG",
    downloadNumbers: "Download numbers",
  },
  zh: {
    programIs: "课程中一幅图里的数值。attention_lib 随课程的 notebook 提供。",
    noKey: "没有保留键的行取什么数都行",
    withoutTanh: "去掉 tanh 的加性分数",
    barsOfScores: "各直条里分数的个数；每条宽半个标准差，从 −8 到 8 个标准差",
    upToDraw: "第 1 到第 {n} 次抽取",
    fromTheModel: "由训练好的模型算出；模型太大，不便列在这里",
    copyProgram: "复制为 PyTorch 代码",
    downloadSvg: "下载 SVG",
    downloadPng: "下载 PNG",
    downloadNumbers: "下载数值",
  },
};
