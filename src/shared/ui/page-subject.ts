import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { create } from 'zustand'

/** What the pages at these paths are about: tag and document title say it behind the page's own title. */
export const useSubjects = create<Readonly<Record<string, string>>>(() => ({}))

/** A longer name is cut, so that a tag still shows the version behind it. */
const LONGEST = 20

/** Says what the page is about, once that is known. */
export function usePageSubject(name: string | undefined, version = ''): void {
  const { pathname } = useLocation()
  useEffect(() => {
    if (name !== undefined) useSubjects.setState({ [pathname]: subjectText(name, version) })
  }, [pathname, name, version])
}

/** `Wallet 5.8.3` */
export function subjectText(name: string, version = ''): string {
  const letters = [...name]
  const short = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name
  return `${short} ${version}`.trim()
}
