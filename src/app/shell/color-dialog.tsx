import { Check } from 'lucide-react'
import { useState } from 'react'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { useAppearance } from '#src/shared/theme/appearance.ts'
import { DEFAULT_COLOR, isColor } from '#src/shared/theme/theme-color.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { chooseColor } from './choices.ts'

const texts = defineTexts('color', {
  title: { zh: '主题颜色', en: 'Theme colour' },
  note: {
    zh: '文字与按钮自动取该颜色的易读深浅；等级颜色不变。',
    en: 'Text and buttons take a readable step of this colour by themselves; level colours stay.',
  },
  own: { zh: '自选颜色', en: 'Own colour' },
  pick: { zh: '取色', en: 'Pick' },
  wrong: { zh: '请输入 #RRGGBB', en: 'Please enter #RRGGBB' },
  apply: { zh: '应用', en: 'Apply' },
  reset: { zh: '恢复默认', en: 'Default' },
  swatch: { zh: '颜色 {{color}}', en: 'Colour {{color}}' },
})

const SWATCHES = [DEFAULT_COLOR, '#1890FF', '#304156', '#11A983', '#13C2C2', '#6959CD', '#F5222D', '#FA8C16']

export function ColorDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts)
  const current = useAppearance((state) => state.color)
  const [color, setColor] = useState(current)
  const valid = isColor(color)
  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={onClose}
      width={420}
      footer={
        <>
          <Button
            variant="quiet"
            onPress={() => {
              chooseColor(DEFAULT_COLOR)
              onClose()
            }}
          >
            {t('reset')}
          </Button>
          <Button
            variant="primary"
            isDisabled={!valid}
            onPress={() => {
              chooseColor(color)
              onClose()
            }}
          >
            {t('apply')}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-12 text-muted">{t('note')}</p>
      <div className="flex flex-wrap gap-2">
        {SWATCHES.map((one) => (
          <button
            key={one}
            type="button"
            aria-label={t('swatch', { color: one })}
            aria-pressed={one.toLowerCase() === color.toLowerCase()}
            onClick={() => setColor(one)}
            className="flex size-9 items-center justify-center rounded text-white"
            style={{ background: one }}
          >
            {one.toLowerCase() === color.toLowerCase() && <Icon of={Check} className="drop-shadow" />}
          </button>
        ))}
      </div>
      <div className="mt-4 flex items-end gap-2">
        <TextField
          label={t('own')}
          value={color}
          onChange={setColor}
          error={valid ? undefined : t('wrong')}
          mono
          className="w-40"
        />
        <input
          type="color"
          aria-label={t('pick')}
          value={valid ? color : DEFAULT_COLOR}
          onChange={(event) => setColor(event.target.value.toUpperCase())}
          className="h-control w-12 cursor-pointer rounded border border-line-strong bg-surface p-1"
        />
      </div>
    </Dialog>
  )
}
