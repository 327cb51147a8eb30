import { expect, test } from 'vitest'
import { subjectText } from './page-subject.ts'

test('a subject names application and version; a long name leaves room for the version', () => {
  expect(subjectText('禾帆钱包', '5.8.3')).toBe('禾帆钱包 5.8.3')
  expect(subjectText('Wallet')).toBe('Wallet')
  expect(subjectText('')).toBe('')
  expect(subjectText('Damn Insecure and Vulnerable App', '1.0')).toBe('Damn Insecure and V… 1.0')
  expect(subjectText('💰'.repeat(21), '2')).toBe(`${'💰'.repeat(19)}… 2`)
})
