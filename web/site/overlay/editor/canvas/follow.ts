export interface Follower {
  readonly move: (x: number, y: number, isShift: boolean) => void
  readonly end: (isDropped: boolean) => void
}

/** Follows a pointer, once a frame. Escape ends it without a change. */
export function follow(node: HTMLElement, pointer: number, { move, end }: Follower): void {
  let at: PointerEvent | null = null
  let frame = 0
  const run = () => {
    frame = 0
    if (at !== null) move(at.clientX, at.clientY, at.shiftKey)
  }
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return
    at = event
    if (frame === 0) frame = requestAnimationFrame(run)
  }
  const finish = (isDropped: boolean) => {
    cancelAnimationFrame(frame)
    if (isDropped) run()
    removeEventListener('pointermove', onMove)
    removeEventListener('pointerup', onUp)
    removeEventListener('pointercancel', onCancel)
    removeEventListener('keydown', onKey, true)
    if (node.hasPointerCapture(pointer)) node.releasePointerCapture(pointer)
    end(isDropped)
  }
  const onUp = (event: PointerEvent) => event.pointerId === pointer && finish(true)
  const onCancel = (event: PointerEvent) => event.pointerId === pointer && finish(false)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    finish(false)
  }
  node.setPointerCapture(pointer)
  addEventListener('pointermove', onMove)
  addEventListener('pointerup', onUp)
  addEventListener('pointercancel', onCancel)
  addEventListener('keydown', onKey, true)
}
