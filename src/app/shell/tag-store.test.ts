import { beforeEach, expect, test } from 'vitest'
import { closeTags, useTags, visit } from './tag-store.ts'

const paths = () => useTags.getState().tags.map((tag) => tag.path)

beforeEach(() => {
  useTags.setState({ tags: [{ page: 'home', path: '/home', search: '' }] })
  visit({ page: 'user_analysis', path: '/statistics/user_analyzer', search: '' })
  visit({ page: 'realtime', path: '/realtime', search: '?f=level:high' })
  visit({ page: 'about', path: '/about', search: '' })
})

test('[SHELL-07] a page visited twice has one tag with the newest search', () => {
  visit({ page: 'user_analysis', path: '/statistics/user_analyzer', search: '?range=-1h' })
  expect(paths()).toEqual(['/home', '/statistics/user_analyzer', '/realtime', '/about'])
  expect(useTags.getState().tags[1]?.search).toBe('?range=-1h')
})

test('[SHELL-07] closing the active tag leads to the last remaining one, or to the root', () => {
  expect(closeTags('/about', (tag) => tag.path === '/about')).toBe('/realtime?f=level:high')
  expect(closeTags('/realtime', (tag) => tag.path === '/statistics/user_analyzer')).toBeUndefined()
  expect(closeTags('/realtime', (tag) => tag.path === '/realtime')).toBe('/')
  expect(paths()).toEqual(['/home'])
})

test('[SHELL-07] close others and close all keep home', () => {
  expect(closeTags('/realtime', (tag) => tag.path !== '/realtime')).toBeUndefined()
  expect(paths()).toEqual(['/home', '/realtime'])
  expect(closeTags('/realtime', () => true)).toBe('/')
  expect(paths()).toEqual(['/home'])
})
