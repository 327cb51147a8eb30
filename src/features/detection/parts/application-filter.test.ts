// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import type { Application } from '#contracts/http/applications.ts'
import {
  setApplicationList,
  setCurrentApplication,
  useApplications,
} from '../../../shared/session/application-store.ts'
import { narrowedTo } from './application-filter.tsx'

const app = (id: string) => ({ id, name: `app ${id}` }) as Application
const narrowed = () => narrowedTo(useApplications.getState())

beforeEach(() => {
  localStorage.clear()
  setCurrentApplication('all', false)
})

test('[ASSET-03] the only application becomes current and hides nothing of packages that belong to none', () => {
  setApplicationList([app('3')])
  expect(useApplications.getState().current).toBe('3')
  expect(narrowed()).toBe('')
})

test('[ASSET-03] one of several narrows the lists, all of them do not', () => {
  setApplicationList([app('1'), app('2')])
  expect(narrowed()).toBe('')
  setCurrentApplication('2')
  expect(narrowed()).toBe('2')
})
