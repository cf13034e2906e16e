// SPDX-License-Identifier: MIT
import { useMemo } from 'react';
import { things } from '../format/format';
import { Icon } from '../theme/Icon';
import { type Frame, parseTraceback } from './traceback';

export function Traceback({ text }: { text: string }) {
  const parts = useMemo(() => parseTraceback(text), [text]);
  const raising = parts.findLast((part) => 'frames' in part && !part.library);
  return (
    <section className="section traceback">
      <header>
        <h2>Traceback</h2>
        <button type="button" className="link" onClick={() => navigator.clipboard?.writeText(text)}>
          Copy
        </button>
      </header>
      {parts.map((part, i) => {
        const key = `${i}`;
        if ('text' in part)
          return (
            <pre key={key} className={i === parts.length - 1 ? 'exception' : ''}>
              {part.text}
            </pre>
          );
        if (!part.library)
          return part.frames.map((frame) => <FrameRow key={key} frame={frame} raising={part === raising} />);
        return (
          <details key={key}>
            <summary>
              <Icon name="chevron-right" size={14} />
              {`${things(part.frames.length, 'frame', 'frames')} in ${part.library}`}
            </summary>
            {part.frames.map((frame) => (
              <FrameRow key={`${frame.file}:${frame.line}`} frame={frame} raising={false} />
            ))}
          </details>
        );
      })}
    </section>
  );
}

function FrameRow({ frame, raising }: { frame: Frame; raising: boolean }) {
  return (
    <div className={raising ? 'frame raising' : 'frame'}>
      <p>
        <b>{frame.name}</b>
        <span title={frame.file}>{`${frame.file.split(/[\\/]/).slice(-2).join('/')}:${frame.line}`}</span>
      </p>
      {frame.source && <code>{frame.source}</code>}
    </div>
  );
}
