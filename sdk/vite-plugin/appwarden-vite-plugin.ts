export { type JsguardOptions, type JsguardPlugin, jsguard } from './jsguard.ts'
