import type { Found } from './client.ts'

/** What the policy says, where the page does not do it itself: a line on the page, a page that ends, a page that cannot be used. */
export function applyAction({ action, text }: Found): void {
  if (action === 'warn') show(text, 'left:0;right:0;top:0;padding:12px 20px;text-align:center;background:#8a5300', true)
  else if (action === 'block' || action === 'exit') {
    show(text, 'inset:0;display:flex;align-items:center;justify-content:center;padding:24px;background:#14181f', false)
    // Time to read it, and for the event to leave.
    if (action === 'exit') setTimeout(() => location.replace('about:blank'), 1500)
  }
}

function show(text: string, style: string, closes: boolean): void {
  const box = document.createElement('div')
  box.setAttribute('role', 'alert')
  box.textContent = text
  box.style.cssText = `position:fixed;z-index:2147483647;color:#fff;font:16px/1.5 system-ui,sans-serif;${style}`
  if (closes) box.onclick = () => box.remove()
  document.documentElement.append(box)
}
