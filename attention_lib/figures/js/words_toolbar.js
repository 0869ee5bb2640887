// @ts-check
// The words of the toolbar below a figure, of links to a state, and of what is told to listeners.

/** @type {Record<string, Record<string, string>>} */
export const TOOLBAR_WORDS = {
  en: {
    reset: "Reset",
    hideWeights: "Hide weights",
    hidden: "hidden",
    share: "Share",
    copyLink: "Copy link",
    copied: "Copied",
    copyByHand: "The browser keeps its clipboard closed. The text is selected: copy it from here.",
    linkBroken: "This link describes no state of this figure, which shows its start instead.",
    linkOld: "This link is for another version of this figure, which shows its start instead.",
    weightsHidden: "The weights are hidden.",
    weightsAre: "Weights: {list}.",
    rowOfExample: "example {b}, {row}",
    rowWeights: "{name}: {weights}",
    rowLargest: "{name}: most on {key}, {weight}",
    rowOfZeros: "{name}: all 0",
    semicolon: "; ",
  },
  zh: {
    reset: "重置",
    hideWeights: "隐藏权重",
    hidden: "已隐藏",
    share: "分享",
    copyLink: "复制链接",
    copied: "已复制",
    copyByHand: "浏览器不允许写入剪贴板。文字已选中，请在这里复制。",
    linkBroken: "链接里的状态不适用于这幅图，图仍为初始状态。",
    linkOld: "链接属于这幅图的另一个版本，图仍为初始状态。",
    weightsHidden: "权重已隐藏。",
    weightsAre: "权重：{list}。",
    rowOfExample: "样本 {b}，{row}",
    rowWeights: "{name}：{weights}",
    rowLargest: "{name}：最大的在{key}，为 {weight}",
    rowOfZeros: "{name}：全为 0",
    semicolon: "；",
  },
};
