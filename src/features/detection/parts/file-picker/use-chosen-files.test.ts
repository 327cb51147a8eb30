// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import type { AppFile } from '#contracts/http/assets.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { type Choice, useChosenFiles } from './use-chosen-files.ts'

const FILES = { name: 'file', most: 3 }
const file = (id: string) => ({ id, name: `file ${id}` }) as AppFile

let choice: Choice | undefined
function Page() {
  choice = useChosenFiles(useAddress(), FILES)
  return null
}

test('[HARD-05] files that are ticked before the page is drawn again are all chosen, and one that was removed stays removed', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  history.replaceState(null, '', '/reinforce/new?policy=p')
  const root = createRoot(document.createElement('div'))
  const client = new QueryClient()
  await act(async () =>
    root.render(
      createElement(QueryClientProvider, { client }, createElement(BrowserRouter, null, createElement(Page))),
    ),
  )
  // All by what was drawn first.
  const drawn = choice!
  await act(async () => {
    drawn.toggle('1', file('1'))
    drawn.toggle('2', file('2'))
    drawn.toggle('1')
    drawn.toggle('3', file('3'))
  })
  expect(new URLSearchParams(location.search).get('file')).toBe('2,3')
  expect(new URLSearchParams(location.search).get('policy')).toBe('p')
  expect(choice?.files.map((one) => one.file?.name)).toEqual(['file 2', 'file 3'])
  await act(async () => root.unmount())
})
