import { parseText } from '#domain/platform-text.ts'

/** A template file of the platform as a page shows it: its texts stay texts. Headings are below the heading of the section around it. */
export function PlatformText({ text }: { text: string }) {
  return (
    <div className="max-w-[72ch] space-y-2 [overflow-wrap:anywhere]">
      {parseText(text).map((block, at) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the order of a text that does not change is the identity of its blocks
        if (block.kind === 'list')
          return (
            <ul key={at} className="list-disc space-y-1 pl-5">
              {block.items.map((item, line) => (
                <li key={line}>{item}</li>
              ))}
            </ul>
          )
        if (block.kind === 'paragraph') return <p key={at}>{block.text}</p>
        return (
          <h3 key={at} className={block.level === 1 ? 'text-14 font-semibold' : 'font-semibold'}>
            {block.text}
          </h3>
        )
        // biome-ignore-end lint/suspicious/noArrayIndexKey: see above
      })}
    </div>
  )
}
