import { Copy } from 'lucide-react'
import { useId, useState } from 'react'
import { type ArticleBlock, CODE_LANGUAGES, type CodeLanguage } from '#contracts/http/knowledge.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

type Files = Extract<ArticleBlock, { kind: 'files' }>['files']

/** The language that was chosen last: the next block of code, in this and other articles, begins with it. */
let preferred: CodeLanguage | undefined

/** The same code in several languages, one shown at a time, with what was compiled of it. */
export function CodeFiles({ files }: { files: Files }) {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const panel = useId()
  const [chosen, setChosen] = useState(preferred)
  const shown = files.find((file) => file.language === chosen) ?? files[0]
  if (!shown) return null
  const choose = (next: CodeLanguage) => {
    preferred = next
    setChosen(next)
  }
  return (
    <section className="my-4 overflow-hidden rounded border" aria-label={t('code')}>
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-b pr-2 pl-1">
        <div role="tablist" aria-label={t('languages')} className="flex">
          {files.map((file) => (
            <button
              key={file.name}
              type="button"
              role="tab"
              aria-selected={file === shown}
              aria-controls={panel}
              onClick={() => choose(file.language)}
              className={`-mb-px h-10 border-b-2 px-3 text-13 ${file === shown ? 'border-brand font-semibold text-brand-text' : 'border-transparent text-muted hover:text-text'}`}
            >
              {CODE_LANGUAGES[file.language][language]}
            </button>
          ))}
        </div>
        <span className="ml-auto text-12 text-muted">{t(shown.compiled ? 'compiled' : 'notCompiled')}</span>
        <IconButton size="small" icon={Copy} label={t('copy')} onPress={() => void copyToClipboard(shown.text)} />
      </div>
      <Lines id={panel} text={shown.text} />
    </section>
  )
}

/** Commands or examples in the text. */
export function CodeText({ text }: { text: string }) {
  const t = useTexts(knowledgeTexts)
  return (
    <div className="code group relative my-4 overflow-hidden rounded border">
      <div className="absolute top-1 right-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <IconButton size="small" icon={Copy} label={t('copy')} onPress={() => void copyToClipboard(text)} />
      </div>
      <Lines text={text} />
    </div>
  )
}

function Lines({ text, id }: { text: string; id?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
    <pre id={id} tabIndex={0} className="overflow-x-auto bg-code px-4 py-3 font-mono text-12/[19px]">
      {text}
    </pre>
  )
}
