/** Maker and model as people say it: many models begin with their maker already. Empty where neither is known. */
export function phoneName(brand: string, model: string): string {
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${brand} ${model}`.trim()
}
