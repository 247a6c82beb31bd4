import { clock } from '../../../../src/engine/scenes/formatters.ts'
import type { TreeCurrentMap } from '../../../../src/engine/scenes/tree.ts'
import { h } from '../../dom.ts'
import { shownAt } from '../../model/joined.ts'
import { type Brush, Drawn, difficultyTag, flairTag, mapName, sized, styled, tagOfModifier } from './drawn.ts'

/** The current map. (overlays: Scene document) */
export class MapCardPainter extends Drawn<'mapCard'> {
  constructor() {
    super('mapCard', 'map-card')
  }

  protected shown({ context: { reading } }: Brush<'mapCard'>) {
    const { map, control, sides } = reading.bound
    const isHidden = control.mapCard === 'hidden'
    const picker = map?.pickedBy == null ? null : sides[shownAt(reading.bound, map.pickedBy)]?.team?.name
    return { map: isHidden ? null : map, picker }
  }

  protected draw(brush: Brush<'mapCard'>) {
    const { map, picker } = this.shown(brush)
    if (map === null) return []
    const { size, shows, context, sideColor, look } = brush
    const isUpright = size.height > size.width * 1.05
    const cover = shows('cover') ? h('div', 'cover', h('span', 'note', '♪'), brush.picture(map.imageUrl)) : null
    const by = [shows('artist') ? map.artist : null, shows('mapper') ? map.mapper : null].filter((name) => name)
    const words = h(
      'div',
      'words',
      shows('title')
        ? h(
            'div',
            mapName(map).length > 40 ? 'name long' : 'name',
            mapName(map),
            shows('subtitle') && map.subName ? h('span', 'sub', ` ${map.subName}`) : null,
          )
        : null,
      by.length > 0 ? h('div', 'by', by.join(' · ')) : null,
      h(
        'div',
        'tags',
        difficultyTag(map, context.reading.around, {
          difficulty: shows('difficulty'),
          characteristic: shows('characteristic'),
        }),
        ...(shows('modifiers') ? map.modifiers.slice(0, 6).map(tagOfModifier) : []),
        shows('flair') ? flairTag(map, look) : null,
        h('div', 'stats', ...statsOf(map, shows).map((fact) => h('span', '', fact))),
      ),
    )
    const color = sideColor(map.pickedBy)
    const from = map.isTiebreaker ? 'Tiebreaker' : picker ? `Pick of ${picker}` : null
    const picked = shows('pickedBy') && from !== null
    const card = h('div', isUpright ? 'card upright' : 'card', cover, words)
    if (picked) {
      words.prepend(styled(h('div', 'picked', from), { color: map.isTiebreaker ? look.accent : (color ?? look.muted) }))
      styled(card, { '--edge': map.isTiebreaker ? look.accent : (color ?? look.line) })
    }
    // The largest size at which all lines fit.
    const lines = [picked ? 1.25 : 0, shows('title') ? 2.1 : 0, by.length > 0 ? 1.4 : 0, 1.75].reduce(
      (sum, each) => sum + each,
      0.9,
    )
    return [sized(card, isUpright ? size.width / 17 : Math.min(size.height / lines, size.width / 22))]
  }
}

/** Short facts of a map, each of which is a part of the element. */
function statsOf(map: TreeCurrentMap, shows: Brush<'mapCard'>['shows']): readonly string[] {
  const { bpm, nps, njs, durationSeconds, notes, starsA, starsB, key, target } = map
  const round = (number: number) => String(Math.round(number * 10) / 10)
  const whole = (number: number) => Math.round(number).toLocaleString('en-US')
  const stars = starsA ?? starsB
  return [
    shows('duration') && durationSeconds !== null ? clock(durationSeconds) : null,
    shows('bpm') && bpm !== null ? `${round(bpm)} BPM` : null,
    shows('nps') && nps !== null ? `${round(nps)} NPS` : null,
    shows('njs') && njs !== null ? `${round(njs)} NJS` : null,
    shows('notes') && notes !== null ? `${whole(notes)} notes` : null,
    shows('stars') && stars !== null ? `${stars.toFixed(2)}★` : null,
    shows('key') ? key : null,
    shows('target') && target !== null ? `Target ${whole(target)}` : null,
  ].filter((part) => part !== null)
}
