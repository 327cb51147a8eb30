import { create } from 'zustand'
import { brandSteps, DEFAULT_COLOR, isColor } from './theme-color.ts'

/**
 * Theme (face and colour) and size as the user chose them: local storage `theme` ("dark #409EFF") and `size`. public/boot.js applies
 * face and size before the first paint.
 */
export type ColorScheme = 'light' | 'dark'
export const SIZES = ['medium', 'small', 'mini'] as const
export type Size = (typeof SIZES)[number]

type Appearance = { face: ColorScheme; color: string; size: Size }

function read(): Appearance {
  const [face, color] = (localStorage.getItem('theme') ?? '').split(' ')
  const size = localStorage.getItem('size') as Size
  return {
    face: face === 'dark' ? 'dark' : 'light',
    color: color && isColor(color) ? color : DEFAULT_COLOR,
    size: SIZES.includes(size) ? size : 'medium',
  }
}

export const useAppearance = create<Appearance>(read)

/** Saves and applies; the caller shows the notice (SHELL-10). */
export function setAppearance(change: Partial<Appearance>): void {
  useAppearance.setState(change)
  const { face, color, size } = useAppearance.getState()
  localStorage.setItem('theme', `${face} ${color}`)
  localStorage.setItem('size', size)
  applyAppearance()
}

let sheet: CSSStyleSheet | undefined

/** Puts the choice on the document. A constructed sheet, since it must reach nested faces (the wall) and no inline style may be used. */
export function applyAppearance(): void {
  const { face, color, size } = useAppearance.getState()
  document.documentElement.dataset['theme'] = face
  document.documentElement.dataset['size'] = size
  if (color.toLowerCase() === DEFAULT_COLOR.toLowerCase()) {
    sheet?.replaceSync('')
    return
  }
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const { light, dark } = brandSteps(color)
  sheet.replaceSync(`:root,[data-theme=light]{${rules(light)}}[data-theme=dark]{${rules(dark)}}`)
}

function rules(properties: Record<string, string>): string {
  return Object.entries(properties)
    .map(([name, value]) => `--${name}:${value};`)
    .join('')
}
