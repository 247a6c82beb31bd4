import { type Box, bind, element, onlyWith, type Part, shape } from '../build.ts'

/** Bars that show the course of a song. */

/** A bar that shows which of two sides leads. A lead of a twentieth of all points fills it. */
export function balance(box: Box): readonly Part[] {
  return [
    shape('Balance ground', box, 'var(raised)', { mask: { radius: 7 } }),
    element(
      'bar',
      'Balance',
      box,
      { mode: 'tug', min: 0.475, max: 0.525 },
      {
        mask: { shape: 'rectangle', radius: 7 },
        bindings: { value: bind('value', 'live.share') },
      },
    ),
  ]
}

export function progress(box: Box): readonly Part[] {
  return [
    element(
      'bar',
      'Progress',
      box,
      { colors: ['var(accent)', 'var(raised)'] },
      {
        bindings: { value: bind('value', 'live.progress') },
        mask: { shape: 'rectangle', radius: 3 },
        conditions: onlyWith('live'),
      },
    ),
  ]
}
