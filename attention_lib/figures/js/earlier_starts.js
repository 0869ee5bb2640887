// @ts-check
// Starts that no page stores any more, and whose links open all the same.

/**
 * By language and by the mark that their links carry: what readers could change, as it stood then.
 * A link says only in what it differs from that. Chapter 9 has trained its model anew, and opens
 * with another pair: a link to two sentences shows what the model of today makes of them.
 * @type {Record<string, Record<string, Record<string, any>>>}
 */
const STARTS = {
  en: {
    "wdj5hu": { premise: "A dog is running in the park.", hypothesis: "An animal is outdoors." },
  },
  zh: {
    "1x5m82d": { premise: "一只狗在公园里奔跑。", hypothesis: "一只动物在户外。" },
  },
};

export const EARLIER = new Map(Object.values(STARTS).flatMap((each) => Object.entries(each)));
