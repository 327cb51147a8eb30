import { expect, test } from 'vitest'
import { methodLabel } from './method-label.ts'

test('[DET-03] methods read as they are written, with the short names of their parameters', () => {
  expect(methodLabel('onCreate(Landroid/os/Bundle;)V')).toBe('onCreate(Bundle)')
  expect(methodLabel('<init>()V')).toBe('<init>()')
  expect(methodLabel('digest([BI[[Ljava/lang/String;J)[B')).toBe('digest(byte[], int, String[][], long)')
})

test('what is no descriptor stays as it is', () => {
  for (const text of ['main', '-[AppDelegate application:didFinish:]', 'f(nonsense)V', '(', 'a(L;)V'])
    expect(methodLabel(text)).toBe(text)
})
