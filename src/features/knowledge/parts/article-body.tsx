import type { ArticleBlock } from '#contracts/http/knowledge.ts'
import { articleImage } from '#contracts/http/own-articles.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { ArticleParts } from './article-parts.tsx'
import { CodeFiles, CodeText } from './code-files.tsx'

/** The text of an article, 14/24, at most 680 wide; code may be wider. */
export function ArticleBody({ blocks }: { blocks: readonly ArticleBlock[] }) {
  return (
    <div className="max-w-[860px] text-14/6 [font-variant-ligatures:none] [overflow-wrap:anywhere] [&>:not(section,.code)]:max-w-[680px]">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of an article never change their order
        <Block key={at} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { block: ArticleBlock }) {
  switch (block.kind) {
    case 'heading':
      return block.level === 2 ? (
        <h2 id={block.id} className="mt-6 mb-2 scroll-mt-4 text-16 font-semibold first:mt-0">
          {block.text}
        </h2>
      ) : (
        <h3 id={block.id} className="mt-4 mb-1 scroll-mt-4 font-semibold">
          {block.text}
        </h3>
      )
    case 'text':
      return (
        <p className="my-2">
          <ArticleParts parts={block.parts} />
        </p>
      )
    case 'note':
      return (
        <p className="my-3 border-l-2 border-brand bg-selected px-3 py-2">
          <ArticleParts parts={block.parts} />
        </p>
      )
    case 'list': {
      const items = block.items.map((parts, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list never change their order
        <li key={at} className="my-1 pl-1">
          <ArticleParts parts={parts} />
        </li>
      ))
      return block.ordered ? (
        <ol className="my-2 list-decimal pl-6">{items}</ol>
      ) : (
        <ul className="my-2 list-disc pl-5">{items}</ul>
      )
    }
    case 'table':
      return (
        <div className="my-4 overflow-x-auto">
          <table className="w-full border-collapse text-13">
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                  <th key={at} className="border-b border-line-strong px-2 py-1.5 text-left font-semibold">
                    <ArticleParts parts={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows never change their order
                <tr key={at}>
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                    <td key={column} className="border-b px-2 py-1.5 align-top">
                      <ArticleParts parts={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'code':
      return <CodeText text={block.text} />
    case 'image':
      return (
        <p className="my-4">
          <img
            src={downloadHref(articleImage, { id: block.id })}
            alt={block.alt}
            width={block.width}
            height={block.height}
            loading="lazy"
            className="h-auto max-w-full rounded border"
          />
        </p>
      )
    case 'files':
      return <CodeFiles files={block.files} />
  }
}
