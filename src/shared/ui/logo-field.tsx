import { ImageUp, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { LOGO_BYTES } from '#contracts/logo-limit.ts'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { toast } from './toast.ts'

const texts = defineTexts('ui-logo', {
  logo: { zh: '标志', en: 'Logo' },
  logoNote: {
    zh: 'PNG 或 SVG，不超过 256 KB，上传后重新绘制',
    en: 'PNG or SVG of at most 256 KB, redrawn after the upload',
  },
  logoNone: { zh: '没有标志', en: 'No logo' },
  choose: { zh: '选择文件', en: 'Choose a file' },
  takeAway: { zh: '移除', en: 'Take away' },
  tooLarge: { zh: '文件超过 256 KB', en: 'The file is larger than 256 KB' },
})

/** A logo: its address under /api/, or PNG or SVG in base64. */
export function LogoPicture({ logo, className }: { logo: string; className: string }) {
  const t = useTexts(texts)
  return (
    <img
      src={logo.startsWith('/api/') ? logo : `data:${isPng(logo) ? 'image/png' : 'image/svg+xml'};base64,${logo}`}
      alt={t('logo')}
      className={className}
    />
  )
}

/** Chooses or takes away a logo. `note`: what it is for. */
export function LogoField({
  logo,
  note,
  isDisabled = false,
  onChange,
}: {
  logo: string | null
  note: string
  isDisabled?: boolean
  onChange: (logo: string | null) => void
}) {
  const t = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (file.size > LOGO_BYTES) {
      toast.error(t('tooLarge'))
      return
    }
    let binary = ''
    for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCharCode(byte)
    onChange(btoa(binary))
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      {/* On white, as paper is. */}
      <div
        data-theme="light"
        className="flex h-20 w-60 flex-none items-center justify-center rounded border bg-surface p-2 text-12 text-muted"
      >
        {logo === null ? t('logoNone') : <LogoPicture logo={logo} className="max-h-full max-w-full" />}
      </div>
      <div className="min-w-0">
        <div className={isDisabled ? 'hidden' : 'flex gap-2'}>
          <input
            ref={input}
            type="file"
            accept=".png,.svg,image/png,image/svg+xml"
            aria-label={t('logo')}
            className="sr-only"
            onChange={({ target }) => {
              void choose(target.files?.[0])
              target.value = '' // the same file may be chosen again
            }}
          />
          <Button icon={ImageUp} onPress={() => input.current?.click()}>
            {t('choose')}
          </Button>
          {logo !== null && (
            <Button variant="quiet" icon={Trash2} onPress={() => onChange(null)}>
              {t('takeAway')}
            </Button>
          )}
        </div>
        <p className="pt-1.5 text-12 text-muted">{note}</p>
        <p className="text-12 text-muted">{t('logoNote')}</p>
      </div>
    </div>
  )
}

/** By the first bytes, of which base64 keeps the look. */
function isPng(base64: string): boolean {
  return base64.startsWith('iVBORw0KGgo')
}
