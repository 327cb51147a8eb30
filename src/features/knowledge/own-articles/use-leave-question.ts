import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { confirm, type Question } from '#src/shared/ui/confirm.tsx'
import { useUnsavedWarning } from '#src/shared/ui/use-unsaved-warning.ts'

/** Asks before another page of the console or of the browser takes the place of this one; the end of a session does not wait for it. */
export function useLeaveQuestion(isDirty: boolean, question: Question): { pass: () => void } {
  const passes = useRef(false)
  useUnsavedWarning(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty &&
      !passes.current &&
      currentLocation.pathname !== nextLocation.pathname &&
      nextLocation.pathname !== PAGES.login.path,
  )
  const asked = useRef(question)
  useEffect(() => {
    asked.current = question
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm(asked.current).then((yes) => (yes ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  return {
    /** The next change of the page goes through unasked. */
    pass() {
      passes.current = true
    },
  }
}
