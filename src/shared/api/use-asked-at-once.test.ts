// @vitest-environment jsdom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { useAskedAtOnce } from './use-asked-at-once.ts'

type Shown = { said: string[]; isEnabled: boolean }
function Answer({ said, isEnabled }: Shown) {
  const asked = {
    queryKey: ['answer'],
    queryFn: async () => {
      said.push('asked')
      return 'answer'
    },
  }
  useAskedAtOnce(asked, isEnabled)
  const { data } = useQuery({ ...asked, enabled: isEnabled })
  useLayoutEffect(() => void said.push(data ? `shows ${data}` : 'is in the document'), [said, data])
  return data
}

/** Renders one component with a query and says in which order what happened, until the answer was shown. */
async function order(isEnabled: boolean, known?: string): Promise<string[]> {
  const said: string[] = []
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  if (known !== undefined) client.setQueryData(['answer'], known)
  const root = createRoot(document.createElement('div'))
  const answer = createElement(Answer, { said, isEnabled })
  flushSync(() => root.render(createElement(QueryClientProvider, { client }, answer)))
  await expect.poll(() => !isEnabled || said.some((one) => one.startsWith('shows'))).toBe(true)
  root.unmount()
  return said
}

test('a query is asked while its component renders, before the page is in the document, and only once', async () => {
  expect(await order(true)).toEqual(['asked', 'is in the document', 'shows answer'])
})

test('a query that is off, or whose answer is known, is not asked while its component renders', async () => {
  expect(await order(false)).toEqual(['is in the document'])
  expect(await order(true, 'an earlier answer')).toEqual(['shows an earlier answer'])
})
