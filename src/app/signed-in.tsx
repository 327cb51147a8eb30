import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, lazy, Suspense, useContext, useEffect, useMemo, useState } from 'react'
import { Outlet, useNavigate, useRevalidator } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { displayToken } from '#src/shared/session/display-token.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ConfirmHost } from '#src/shared/ui/confirm.tsx'
import { listenToKeys } from './actions/keys.ts'
import { IdleWarning } from './idle-warning.tsx'
import { keepAnswersOnLeave, restoreAnswers } from './kept-answers.ts'
import { queryClient } from './query-client.ts'
import { type ShellOpeners, useShellActions } from './shell/shell-actions.ts'
import { type ShellDialog, ShellDialogs } from './shell/shell-dialogs.tsx'

const ApplicationDrawer = lazy(async () => ({
  default: (await import('#src/features/assets/applications/application-drawer.tsx')).ApplicationDrawer,
}))
const CreateDialog = lazy(async () => ({
  default: (await import('#src/features/assets/applications/create-dialog.tsx')).CreateDialog,
}))
const SETTLED_MS = 1000
const RETRY_MS = 10_000
const Openers = createContext<ShellOpeners | null>(null)

export function useShellOpeners(): ShellOpeners {
  const openers = useContext(Openers)
  if (!openers) throw new Error('outside the signed-in layout')
  return openers
}

keepAnswersOnLeave(queryClient)

void import('#src/app/overflow-tooltip.ts').then(({ installOverflowTooltip }) => installOverflowTooltip())

const restoreOnce = () => restoreAnswers(queryClient)

/** Around every page of a signed-in account, with or without the shell: dialogs, keys, questions, idle warning. A wall has the keys alone. */
export default function SignedIn() {
  const [dialog, setDialog] = useState<ShellDialog | null>(null)
  const [creating, setCreating] = useState(false)
  const [listing, setListing] = useState(false)
  // What was never opened is not loaded; what was stays, so that it can close with its motion.
  const [opened, setOpened] = useState({ create: false, list: false })
  const openers = useMemo<ShellOpeners>(
    () => ({
      dialog: setDialog,
      create: () => {
        setListing(false)
        setOpened((before) => ({ ...before, create: true }))
        setCreating(true)
      },
      list: () => {
        setOpened((before) => ({ ...before, list: true }))
        setListing(true)
      },
    }),
    [],
  )
  // Before a page of it renders; the session is known by then.
  useState(restoreOnce)
  useEffect(listenToKeys, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Openers value={openers}>
        <Outlet />
        <ConfirmHost />
        {displayToken() === null && (
          <>
            <Actions openers={openers} />
            <ShellDialogs open={dialog} onOpen={setDialog} onClose={() => setDialog(null)} />
            <Suspense fallback={null}>
              {opened.create && <CreateDialog isOpen={creating} onClose={() => setCreating(false)} />}
              {opened.list && (
                <ApplicationDrawer isOpen={listing} onClose={() => setListing(false)} onAdd={openers.create} />
              )}
            </Suspense>
            <IdleWarning />
            <AccountWatch />
            <LicenceWatch />
          </>
        )}
      </Openers>
    </QueryClientProvider>
  )
}

/** What the account may do changes while a page is open: the page follows within two seconds, without a reload. */
function AccountWatch() {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    const load = async () => {
      try {
        const { watchAccount } = await import('./watch-account.ts')
        if (!isGone) stop = watchAccount(() => void revalidate())
      } catch {
        // No network: the file is asked for again.
        if (!isGone) timer = setTimeout(load, RETRY_MS)
      }
    }
    // No part of the first load.
    let timer = setTimeout(load, SETTLED_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
      stop?.()
    }
  }, [revalidate])
  return null
}

/** The reminder of the platform licence; those who may renew it get a button that opens its page. */
function LicenceWatch() {
  const navigate = useNavigate()
  const mayRenew = useMay('license.manage')
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    const load = async () => {
      const { remindOfLicence } = await import('#src/shared/account/licence-reminder.ts')
      if (!isGone) stop = remindOfLicence(mayRenew ? () => void navigate(PAGES.licence.path) : undefined)
    }
    // No part of the first load; without a network the next sign-in asks again.
    const timer = setTimeout(() => void load().catch(() => undefined), SETTLED_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
      stop?.()
    }
  }, [mayRenew, navigate])
  return null
}

function Actions({ openers }: { openers: ShellOpeners }) {
  useShellActions(openers)
  return null
}
