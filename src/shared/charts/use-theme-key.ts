import { useSyncExternalStore } from 'react'

/**
 * Names the face that shows (theme and theme colour), and changes when either does: canvas drawings take their colours from the
 * tokens once and must be drawn again.
 */
export function useThemeKey(): string {
  return useSyncExternalStore(subscribe, face, () => 'light')
}

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-size', 'style'],
  })
  return () => observer.disconnect()
}

function face(): string {
  const root = document.documentElement
  return `${root.dataset['theme'] ?? 'light'} ${root.style.getPropertyValue('--brand')}`.trim()
}
