import type { Platform } from '#domain/vocabulary.ts'
import { weighted } from './random.ts'

/** Phones in use, by shares like those of the Chinese market; systems by maker. */
export type PhoneModel = { brand: string; model: string; systems: (u: number) => string }

const ANDROID = weighted([
  ['Android 16', 14],
  ['Android 15', 34],
  ['Android 14', 26],
  ['Android 13', 14],
  ['Android 12', 8],
  ['Android 10', 4],
] as const)
const HARMONY = weighted([
  ['HarmonyOS 4.2', 38],
  ['HarmonyOS 5.1', 34],
  ['HarmonyOS 6.0', 18],
  ['HarmonyOS 3.0', 10],
] as const)
const IOS = weighted([
  ['iOS 26.1', 33],
  ['iOS 26.0', 16],
  ['iOS 18.7', 27],
  ['iOS 17.7', 15],
  ['iOS 16.7', 9],
] as const)

// biome-ignore format: a table
const MAKERS: [brand: string, systems: (u: number) => string, models: [string, number][]][] = [
  ['Huawei', HARMONY, [['HUAWEI Mate 60 Pro', 34], ['HUAWEI Pura 70', 30], ['HUAWEI Mate 70', 26], ['HUAWEI nova 12', 28], ['HUAWEI P60', 18], ['HUAWEI Mate X5', 9], ['HUAWEI Enjoy 70', 20]]],
  ['Xiaomi', ANDROID, [['Xiaomi 14', 26], ['Xiaomi 15', 24], ['Redmi K70', 27], ['Redmi Note 13', 30], ['Redmi Turbo 3', 18], ['Xiaomi 13', 14]]],
  ['vivo', ANDROID, [['vivo X100', 24], ['vivo X200', 20], ['vivo S19', 22], ['vivo Y200', 26], ['iQOO Neo9', 24]]],
  ['OPPO', ANDROID, [['OPPO Reno12', 26], ['OPPO Find X7', 18], ['OPPO A3 Pro', 28], ['OnePlus 12', 16], ['realme GT6', 15]]],
  ['HONOR', ANDROID, [['HONOR 200', 28], ['HONOR Magic6', 22], ['HONOR X50', 34], ['HONOR 90', 14]]],
  ['Samsung', ANDROID, [['SM-S9280', 8], ['SM-S9210', 7], ['SM-F9560', 4]]],
]
const APPLE: [string, number][] = [
  ['iPhone 16 Pro Max', 15],
  ['iPhone 16 Pro', 12],
  ['iPhone 16', 9],
  ['iPhone 17 Pro', 10],
  ['iPhone 17', 8],
  ['iPhone 15 Pro Max', 11],
  ['iPhone 15', 10],
  ['iPhone 14 Pro', 9],
  ['iPhone 14', 8],
  ['iPhone 13', 14],
  ['iPhone 12', 8],
  ['iPhone 11', 7],
  ['iPhone SE 3', 3],
]

const androids = weighted(
  MAKERS.flatMap(([brand, systems, models]) =>
    models.map(([model, share]) => [{ brand, model, systems }, share] as const),
  ),
)
const iphones = weighted(APPLE.map(([model, share]) => [{ brand: 'Apple', model, systems: IOS }, share] as const))

export function pickModel(platform: Platform, u: number): PhoneModel {
  return platform === 'ios' ? iphones(u) : androids(u)
}
