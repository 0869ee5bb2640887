"""Search in a book of two languages: English by its words, Chinese by pairs of characters.

Chinese is written without spaces. Cut into overlapping pairs, it can be searched without a
dictionary: 掩蔽操作 is found where 掩蔽, 蔽操 and 操作 are.
"""

from __future__ import annotations

import re
from itertools import pairwise

from sphinx.search.en import SearchEnglish

_RUN = re.compile(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+")


class SearchWords(SearchEnglish):
    """What Sphinx indexes, and how its script in the browser takes a query apart."""

    lang = "bilingual"
    language_name = "English and Chinese"
    js_splitter_code = r"""
function splitQuery(query) {
  const runs = query.match(/[\u4e00-\u9fff]+|(?:(?![\u4e00-\u9fff])[\p{L}\p{N}_])+/gu) ?? [];
  return runs.flatMap((run) =>
    /[\u4e00-\u9fff]{2}/.test(run) ? [...run].slice(1).map((end, i) => run[i] + end) : [run]);
}
"""

    def split(self, text: str) -> list[str]:
        """Words, pairs of Chinese characters, and the characters themselves.

        >>> SearchWords({}).split("掩蔽的 softmax")
        ['掩蔽', '蔽的', '掩', '蔽', '的', 'softmax']
        """
        words: list[str] = []
        for run in _RUN.findall(text):
            if "\u4e00" <= run[0] <= "\u9fff":
                words += [*map("".join, pairwise(run)), *run]
            else:
                words.append(run)
        return words
