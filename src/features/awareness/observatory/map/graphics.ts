/** What draws the map: decided by the renderer string, changeable by the user (decision 23). */
export type Graphics = {
  /** Null: no WebGL2, the map cannot be drawn. */
  renderer: string | null
  software: boolean
}

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|microsoft basic/i

export const isSoftware = (renderer: string): boolean => SOFTWARE.test(renderer)

let known: Graphics | undefined

export function detectGraphics(): Graphics {
  known ??= read()
  return known
}

function read(): Graphics {
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) return { renderer: null, software: true }
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const renderer = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return { renderer, software: isSoftware(renderer) }
}
