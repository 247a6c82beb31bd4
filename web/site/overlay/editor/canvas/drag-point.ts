import type { PointerEvent } from 'react'
import type { Editing } from '../editing.ts'
import { type Point, pointsOf } from '../geometry.ts'
import type { Drawing } from './drawing.ts'
import { follow } from './follow.ts'

/** Drags a point of a polygon. The form follows by its styles alone, and the document changes once, when it is dropped. */
export function dragPoint(
  event: PointerEvent<HTMLElement>,
  at: number,
  drawing: Drawing,
  zoom: number,
  latest: () => Editing,
): void {
  const handle = event.target as HTMLElement
  const { scene, selection } = latest()
  const [id = ''] = selection
  const element = scene.elements[id]
  const from = element === undefined ? undefined : pointsOf(element)[at]
  if (element === undefined || from === undefined) return
  const forms = [...drawing.nodesOf(id)].flatMap((node) => [...node.querySelectorAll<HTMLElement>('.form')])
  const drawn = forms.map((form) => form.style.clipPath)
  const { width, height } = element
  let to: Point = from
  follow(event.currentTarget, event.pointerId, {
    move: (x, y) => {
      to = [Math.round(from[0] + (x - event.clientX) / zoom), Math.round(from[1] + (y - event.clientY) / zoom)]
      handle.style.translate = `${(to[0] - from[0]) * zoom}px ${(to[1] - from[1]) * zoom}px`
      const corners = pointsOf(element)
        .with(at, to)
        .map((point) => `${(point[0] / width) * 100}% ${(point[1] / height) * 100}%`)
      for (const form of forms) form.style.clipPath = `polygon(${corners.join(', ')})`
    },
    end: (isDropped) => {
      handle.style.translate = ''
      for (const [index, form] of forms.entries()) form.style.clipPath = drawn[index] ?? ''
      const now = latest().scene.elements[id]
      if (!isDropped || to === from || now === undefined || pointsOf(now)[at] === undefined) return
      latest().set([[id, { 'props.points': pointsOf(now).with(at, to) }]])
    },
  })
}
