import { useState } from 'react'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'

const texts = defineTexts('code-block', {
  copy: { zh: '复制', en: 'Copy' },
  copied: { zh: '已复制', en: 'Copied' },
})

/** Text to take along, with a button that copies it. */
export function CodeBlock({ title, text, wrap = false }: { title: string; text: string; wrap?: boolean }) {
  const t = useTexts(texts)
  const [copied, setCopied] = useState(false)
  const flow = wrap ? 'whitespace-pre-wrap' : ''
  return (
    <figure className="my-2 overflow-hidden rounded border">
      <figcaption className="flex items-center justify-between border-b bg-canvas py-1 pr-1 pl-3 text-12 text-muted">
        {title}
        <Button
          size="small"
          variant="quiet"
          onPress={async () => {
            if (!(await copyToClipboard(text))) return
            setCopied(true)
            setTimeout(() => setCopied(false), 2000)
          }}
        >
          {copied ? t('copied') : t('copy')}
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
      <pre tabIndex={0} className={`overflow-x-auto bg-code px-3 py-2 text-12/[18px] ${flow}`}>
        {text}
      </pre>
    </figure>
  )
}
