import { apkBytes, element } from './detect-package.ts'

const permission = (name: string) => element('uses-permission', { name: `android.permission.${name}` })

/** What the launcher opens a package by. */
export const LAUNCHER = element(
  'intent-filter',
  {},
  element('action', { name: 'android.intent.action.MAIN' }),
  element('category', { name: 'android.intent.category.LAUNCHER' }),
)

/** A package for the simulated phone: it starts by Main, opens Share to others, and asks for place, contacts and network. */
export const phonePackage = (id: string, { version = '1.0', debuggable = true } = {}): Buffer =>
  Buffer.from(
    apkBytes({
      id,
      manifest: { versionName: version, versionCode: 1 },
      application: { debuggable },
      components: [
        element('activity', { name: `${id}.Main`, exported: true }, LAUNCHER),
        element('activity', { name: `${id}.Share`, exported: true }),
      ],
      others: [permission('ACCESS_FINE_LOCATION'), permission('READ_CONTACTS'), permission('INTERNET')],
    }),
  )
