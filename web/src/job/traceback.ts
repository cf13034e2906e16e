// SPDX-License-Identifier: MIT
// A Python traceback cut into frames; runs of library frames are folded. Other languages' stay one text. Pure.
export interface Frame {
  readonly file: string;
  readonly line: string;
  readonly name: string;
  readonly source: string;
}
export type Part = { frames: readonly Frame[]; library: string | undefined } | { text: string };

const head = /^\s*File "(.+)", line (\d+), in (.+)$/;
const libraries = /.*(?:site-packages|dist-packages|lib[\\/]python[\d.]+)[\\/]([^\\/]+)/;

export function parseTraceback(text: string): Part[] {
  const parts: Part[] = [];
  const lines = text.trimEnd().split('\n');
  let loose: string[] = [];
  const flush = () => {
    const rest = loose
      .filter((line) => !/^\s*[~^]+\s*$/.test(line))
      .join('\n')
      .trim();
    if (rest && !/^Traceback \(most recent call last\):$/.test(rest)) parts.push({ text: rest });
    loose = [];
  };
  for (let i = 0; i < lines.length; ++i) {
    const found = head.exec(lines[i] ?? '');
    if (!found) {
      loose.push(lines[i] ?? '');
      continue;
    }
    flush();
    const next = lines[i + 1];
    const source = next && /^\s{4}/.test(next) && !head.test(next) ? next.trim() : '';
    if (source) ++i;
    while (/^\s*[~^]+\s*$/.test(lines[i + 1] ?? '')) ++i;
    const [, file = '', line = '', name = ''] = found;
    const library = libraries.exec(file)?.[1]?.replace(/\.py$/, '');
    const frame = { file, line, name, source };
    const last = parts.at(-1);
    if (library && last && 'frames' in last && last.library === library)
      parts[parts.length - 1] = { library, frames: [...last.frames, frame] };
    else parts.push({ library, frames: [frame] });
  }
  flush();
  return parts;
}
