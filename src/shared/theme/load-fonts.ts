/** A character of each slice that a first screen consists of; wall only where the interface is Chinese. */
const LATIN = 'A'
const CHINESE = '的'
/** Text in a fallback font after this long is better than none, in milliseconds. */
const LONGEST = 2000

/**
 * Waits until the preloaded fonts are there, so that the first text is set once and nothing moves; at most LONGEST. Then the slices of
 * rarer characters become known, which load when a name needs them.
 */
export async function loadFonts(language: string, waited = LONGEST): Promise<void> {
  const text = language === 'en' ? LATIN : LATIN + CHINESE
  const ready = Promise.all(
    ['400', '600'].map((weight) => document.fonts.load(`${weight} 16px "AppWarden Sans"`, text)),
  )
  await Promise.race([ready.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, waited))])
  void import('./fonts-names.css')
}
