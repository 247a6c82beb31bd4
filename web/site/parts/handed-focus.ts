/**
 * What is removed by its own work, such as the button that takes its line out of a list, or what is replaced as soon as there
 * is an answer: the focus in it goes to the heading of its part, not back to the start of the document. (W3, W15)
 */
export function handOnFocus(): void {
  let held: Element | null = null
  let part: Element | null = null
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    held = target
    part = target.closest('section, main')
  })
  // Some browsers also say that what they remove has lost the focus.
  addEventListener('focusout', ({ target }) => setTimeout(() => target === held && held?.isConnected && forget()))
  const forget = () => {
    held = null
  }
  new MutationObserver(() => {
    if (held === null || held.isConnected) return
    const of = part
    forget()
    requestAnimationFrame(() => hand(of))
  }).observe(document.body, { childList: true, subtree: true })
}

function hand(part: Element | null): void {
  if (document.activeElement !== document.body) return
  headingOf(part)?.focus({ preventScroll: true })
  // A heading that is not shown yet takes none.
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
}

function headingOf(part: Element | null): HTMLElement | null {
  const own = part?.isConnected ? part.querySelector<HTMLElement>('h1, h2, h3') : null
  const heading = own ?? document.querySelector<HTMLElement>('main h1')
  if (heading !== null) heading.tabIndex = -1
  return heading
}
