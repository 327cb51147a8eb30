import type { ReportBlock } from '#contracts/http/reports/stored-reports.ts'

type Tone = Extract<ReportBlock, { kind: 'verdict' }>['tone']

/** Words always accompany the colour. */
const TEXT: Record<Tone, string> = {
  high: 'font-semibold',
  middle: 'font-semibold',
  low: 'font-semibold',
  info: 'font-semibold',
  strong: 'font-semibold',
  good: 'text-good-text',
  bad: 'text-bad-text',
  quiet: 'text-muted',
}

/** The blocks of a report's chapter, as the page draws them: texts stay texts, charts are pictures that run nothing. */
export function ReportBlocks({ blocks }: { blocks: readonly ReportBlock[] }) {
  // The order of a document that never changes is the identity of its blocks.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return blocks.map((block, at) => <Block key={at} block={block} />)
}

function Block({ block }: { block: ReportBlock }) {
  switch (block.kind) {
    case 'heading':
      return block.level === 3 ? (
        <h5 className="mt-3 mb-1 font-semibold">{block.text}</h5>
      ) : (
        <h4 className="mt-4 mb-1.5 text-14 font-semibold">{block.text}</h4>
      )
    case 'text':
      return <p className={`my-1.5 [overflow-wrap:anywhere] ${block.tone ? TEXT[block.tone] : ''}`}>{block.text}</p>
    case 'labelled':
      return (
        <p className="my-1 [overflow-wrap:anywhere]">
          <b className="font-semibold">{block.label}</b>{' '}
          <span className={block.tone ? TEXT[block.tone] : ''}>{block.text}</span>
        </p>
      )
    case 'links':
      return (
        <p className="my-1 flex flex-wrap gap-x-3 [overflow-wrap:anywhere]">
          <b className="font-semibold">{block.label}</b>
          {block.links.map(({ text, url }) =>
            url ? (
              <a
                key={text}
                href={url}
                target="_blank"
                rel="noreferrer noopener"
                className="text-brand-text hover:underline"
              >
                {text}
              </a>
            ) : (
              <span key={text}>{text}</span>
            ),
          )}
        </p>
      )
    case 'facts':
      return (
        <dl className="my-2 grid grid-cols-[minmax(88px,max-content)_1fr] gap-x-4 gap-y-1">
          {block.rows.map(({ label, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see ReportBlocks
            <div key={at} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{text}</dd>
            </div>
          ))}
        </dl>
      )
    case 'table':
      return <BlockTable block={block} />
    case 'chart':
      return (
        <img
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(block.svg)}`}
          alt={block.alt}
          width={block.width}
          height={block.height}
          // Charts are drawn for white paper.
          className="my-2 h-auto max-w-full rounded-small bg-[white] p-1"
        />
      )
    case 'evidence':
      return (
        <figure className="my-2 rounded border bg-canvas px-3 py-2">
          <figcaption className="font-mono text-12 [overflow-wrap:anywhere]">{block.location}</figcaption>
          {block.note && <p className="mt-1 text-12 text-muted [overflow-wrap:anywhere]">{block.note}</p>}
          {block.lines.length > 0 && (
            <pre className="mt-1 font-mono text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {block.lines.join('\n')}
            </pre>
          )}
        </figure>
      )
    case 'verdict':
      return (
        <p className="my-2 flex flex-wrap items-baseline gap-x-3 rounded border px-3 py-2">
          <b className={`text-16 font-semibold ${TEXT[block.tone]}`}>{block.label}</b>
          <span className="min-w-0 [overflow-wrap:anywhere]">{block.text}</span>
        </p>
      )
  }
}

function BlockTable({ block }: { block: Extract<ReportBlock, { kind: 'table' }> }) {
  const right = (at: number) => (block.columns[at]?.align === 'right' ? 'text-right tabular-nums' : 'text-left')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section aria-label={block.columns[0]?.title} tabIndex={0} className="my-2 overflow-x-auto">
      <table className="w-full min-w-[420px] border-collapse text-12">
        <thead>
          <tr>
            {block.columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see ReportBlocks
              <th key={at} scope="col" className={`border-b px-2 py-1 font-semibold ${right(at)}`}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see ReportBlocks
            <tr key={line}>
              {row.map((cell, at) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: see ReportBlocks
                  key={at}
                  className={`border-b px-2 py-1 align-top [overflow-wrap:anywhere] ${right(at)} ${typeof cell === 'string' ? '' : TEXT[cell.tone]}`}
                >
                  {typeof cell === 'string' ? cell : cell.text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
