import { clock } from '../../../../src/engine/scenes/formatters.ts'
import type { TreeCurrentMap } from '../../../../src/engine/scenes/tree.ts'
import { h } from '../../dom.ts'
import { shownAt } from '../../model/joined.ts'
import { type Brush, Drawn, difficultyTag, mapName, sized, styled, tag } from './drawn.ts'

/** The map that is played. (overlays: Scene document) */
export class MapCardPainter extends Drawn {
  constructor() {
    super('map-card')
  }

  protected shown({ context: { reading } }: Brush) {
    const { map, control, sides } = reading.bound
    const isHidden = control.mapCard === 'hidden'
    const picker = map?.pickedBy == null ? null : sides[shownAt(reading.bound, map.pickedBy)]?.team?.name
    return { map: isHidden ? null : map, picker }
  }

  protected draw(brush: Brush) {
    const { map, picker } = this.shown(brush)
    if (map === null) return []
    const { size, shows, context, sideColor, look } = brush
    const isUpright = size.height > size.width * 1.05
    const cover = shows('cover') ? h('div', 'cover', brush.picture(map.imageUrl) ?? h('span', 'note', '♪')) : null
    const by = [shows('artist') ? map.artist : null, shows('mapper') ? map.mapper : null].filter((name) => name)
    const words = h(
      'div',
      'words',
      shows('name')
        ? h(
            'div',
            mapName(map).length > 40 ? 'name long' : 'name',
            mapName(map),
            map.subName ? h('span', 'sub', ` ${map.subName}`) : null,
          )
        : null,
      by.length > 0 ? h('div', 'by', by.join(' · ')) : null,
      h(
        'div',
        'tags',
        shows('difficulty') ? difficultyTag(map, context.reading.around) : null,
        ...(shows('modifiers') ? map.modifiers.slice(0, 6).map((modifier) => h('span', 'tag plain', modifier)) : []),
        shows('flair') && map.flair !== null ? tag(map.flair.name, hexOr(map.flair.color, look.accent)) : null,
        shows('stats') ? h('span', 'stats', statsOf(map)) : null,
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
    // As large as its lines let it be.
    const lines = [picked ? 1.25 : 0, shows('name') ? 2.1 : 0, by.length > 0 ? 1.4 : 0, 1.75].reduce(
      (sum, each) => sum + each,
      0.9,
    )
    return [sized(card, isUpright ? size.width / 17 : Math.min(size.height / lines, size.width / 22))]
  }
}

function statsOf({ bpm, nps, njs, durationSeconds, starsA, starsB, key }: TreeCurrentMap): string {
  const round = (number: number) => String(Math.round(number * 10) / 10)
  const stars = starsA ?? starsB
  return [
    durationSeconds === null ? null : clock(durationSeconds),
    bpm === null ? null : `${round(bpm)} BPM`,
    nps === null ? (njs === null ? null : `${round(njs)} NJS`) : `${round(nps)} NPS`,
    stars === null ? null : `${stars.toFixed(2)}★`,
    key,
  ]
    .filter((part) => part !== null)
    .join('   ')
}

function hexOr(color: string, otherwise: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : otherwise
}
