/**
 * Controls that do nothing for now, such as a button while its request is on its way, are marked by `aria-disabled`: from one
 * that is `disabled` the browser takes the focus, and the keyboard starts at the top of the page again. Presses on marked
 * controls end here, also those by a key, by a label, and by Enter in a form, which presses its button. (W15)
 */
export function ignorePressesOnHeld(): void {
  addEventListener(
    'click',
    (event) => {
      const control = event.target instanceof Element ? event.target.closest('button, input') : null
      if (control?.matches('[aria-disabled="true"]') !== true) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
