import { defineTexts, type Language, setLanguage, translate } from '#src/shared/i18n/texts.ts'
import { type ColorScheme, type Size, setAppearance } from '#src/shared/theme/appearance.ts'
import { toast } from '#src/shared/ui/toast.ts'

const texts = defineTexts('choices', {
  language: { zh: '语言切换成功', en: 'Switch Language Success' },
  size: { zh: '大小切换成功', en: 'Switch Size Success' },
  theme: { zh: '换肤成功', en: 'Theme changed' },
})

/** What a user may choose about the look, each with its notice (SHELL-10). */
export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language)
  toast.success(translate(texts, 'language'))
}

export function chooseSize(size: Size): void {
  setAppearance({ size })
  toast.success(translate(texts, 'size'))
}

export function chooseFace(face: ColorScheme): void {
  setAppearance({ face })
  toast.success(translate(texts, 'theme'))
}

export function chooseColor(color: string): void {
  setAppearance({ color })
  toast.success(translate(texts, 'theme'))
}
