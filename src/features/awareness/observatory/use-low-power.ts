import { useTexts } from '../../../shared/i18n/texts.ts'
import { detectGraphics } from './map/graphics.ts'
import { mapsTexts } from './texts.ts'
import { useMedia } from './use-media.ts'
import type { ViewState } from './view-state.ts'

/** Whether the map is drawn as points without animation, and why: software graphics, less motion wanted, or chosen. */
export function useLowPower(graphics: ViewState['graphics']): { on: boolean; why: string } {
  const t = useTexts(mapsTexts)
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const { software, renderer } = detectGraphics()
  if (graphics === 'full') return { on: false, why: '' }
  if (graphics === 'low') return { on: true, why: t('lowChosen') }
  if (software) return { on: true, why: t('lowSoftware', { renderer: shortRenderer(renderer ?? 'WebGL2 –') }) }
  return { on: still, why: t('lowMotion') }
}

/** The name inside ANGLE's long description. */
export function shortRenderer(renderer: string): string {
  return /SwiftShader|llvmpipe|softpipe/i.exec(renderer)?.[0] ?? renderer.slice(0, 40)
}
