import fc from 'fast-check'
import { EqualityFilter, FilterParser } from 'ldapts'
import { expect, test } from 'vitest'
import { normalDn, roleOfGroups } from '../group-role.ts'
import { escapeFilterValue, userFilter } from './ldap-filter.ts'

test('whatever is typed stays one value of the filter (RFC 4515, 3)', () => {
  expect(escapeFilterValue('a*(b)\\c\0')).toBe('a\\2a\\28b\\29\\5cc\\00')
  expect(escapeFilterValue('Lučić 王')).toBe('Lučić 王')
  expect(userFilter('(mail={username})', '$&')).toBe('(mail=$&)')
  const oneValue = (text: string) => {
    const parsed = FilterParser.parseString(userFilter('(mail={username})', text))
    expect(parsed).toBeInstanceOf(EqualityFilter)
    expect((parsed as EqualityFilter).value).toBe(text)
  }
  fc.assert(fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), oneValue))
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('*', '(', ')', '\\', '\0', 'a', '&', '|'), minLength: 1 }), oneValue),
  )
})

test('the first mapped group decides; names of groups are compared without case and spaces around separators', () => {
  const mapping = [
    { group: 'CN=Heads, OU=Groups,dc=example', role: 'administrator' },
    { group: 'cn=staff,ou=groups,dc=example', role: 'operator' },
  ]
  const staff = 'cn=Staff,ou=groups,dc=example'
  expect(roleOfGroups([staff, 'cn=heads,ou=groups,dc=example'], mapping, normalDn)).toBe('administrator')
  expect(roleOfGroups([staff], mapping, normalDn)).toBe('operator')
  expect(roleOfGroups([], mapping, normalDn)).toBeUndefined()
  expect(roleOfGroups(['cn=staff'], mapping, normalDn)).toBeUndefined()
  expect(normalDn('cn=a\\, b,ou=c')).toBe('cn=a\\, b,ou=c')
})
