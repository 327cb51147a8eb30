/** Is every part of the package name of a class (`a/b/C`) as short as renaming makes them, or is there none at all? */
export function lostName(slashed: string): boolean {
  const parts = slashed.split('/')
  const inPackage = parts.slice(0, -1)
  return inPackage.every((part) => part.length <= 2)
}
