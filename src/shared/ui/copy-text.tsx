import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { defineTexts, translate, useTexts } from '../i18n/texts.ts'
import { Icon } from './icon.tsx'
import { toast } from './toast.ts'

const texts = defineTexts('ui-copy', {
  copy: { zh: '复制', en: 'Copy' },
  copied: { zh: '已复制', en: 'Copied' },
  failed: { zh: '浏览器不允许复制，请手动选择文本', en: 'The browser does not allow copying, please select the text' },
})

/** True when it is in the clipboard; raises a notice when it is not. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast.warn(translate(texts, 'failed'))
    return false
  }
}

/** An identifier in monospace with a copy button; `short` shows its first 8 and last 4 characters. */
export function CopyText({ value, short = false }: { value: string; short?: boolean }) {
  const t = useTexts(texts)
  const [copied, setCopied] = useState(false)
  const shown = short && value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-4)}` : value
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <code className="text-clip-line text-12" title={value}>
        {shown}
      </code>
      <button
        type="button"
        aria-label={`${t('copy')} ${value}`}
        title={copied ? t('copied') : t('copy')}
        onClick={async () => {
          if (!(await copyToClipboard(value))) return
          setCopied(true)
          setTimeout(() => setCopied(false), 2000)
        }}
        className="flex size-6 flex-none items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text"
      >
        <Icon of={copied ? Check : Copy} size={14} className={copied ? 'text-good-text' : ''} />
      </button>
    </span>
  )
}
