import { expect, test } from 'vitest'
import { isSoftware } from './graphics.ts'

test('[OBS-01] software rendering is recognised by the renderer string', () => {
  const software = [
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'llvmpipe (LLVM 15.0.7, 256 bits)',
    'Microsoft Basic Render Driver',
    'softpipe',
  ]
  const hardware = [
    'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'Apple M2',
    'Mesa Intel(R) UHD Graphics 620 (KBL GT2)',
    'Mali-G78',
  ]
  expect(software.map(isSoftware)).toEqual(software.map(() => true))
  expect(hardware.map(isSoftware)).toEqual(hardware.map(() => false))
})
