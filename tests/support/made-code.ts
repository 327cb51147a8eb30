import type { ItemResult } from '#engines/detect/result/scan-result.ts'
import { type Body, method } from './code-body.ts'
import { element, type MadePackage } from './detect-package.ts'
import { judgeOne } from './judge-item.ts'

/** The screen of packages that tests of rules make. */
export const MAIN = 'Lorg/maker/app/Main;'

/** A manifest that asks for permissions of Android. */
export const uses = (...names: string[]): MadePackage => ({
  others: names.map((name) => element('uses-permission', { name: `android.permission.${name}` })),
})

/** A package whose screen has the code in one method that takes a text. */
export const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [
    { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('work(Ljava/lang/String;)V', write)] },
  ],
})

export const verdictOf = (id: string, made: MadePackage): ItemResult['verdict'] => judgeOne(id, made).verdict
