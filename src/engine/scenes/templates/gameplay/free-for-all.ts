import { bind, drawn, element, format, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip } from '../frame.ts'
import { progress } from './bars.ts'

/** The gameplay scene for a free-for-all. */

/** Up to six players without teams. */
export const freeForAll: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(900),
    shape('Head ground', [0, 0, 1920, 88], 'var(ground)'),
    text('Tournament', [24, 14, 900, 60], { font: 'display', size: 44, weight: 800 }, 'tournament.name'),
    text('Match', [1200, 14, 696, 60], { size: 30, align: 'right', color: 'var(muted)' }, 'match.label'),
    element(
      'list',
      'Players',
      [24, 104, 1872, 812],
      { source: 'sides.0.players', max: 6, direction: 'down', columns: 3, gap: 18 },
      {
        inside: [
          shape('Ground', [0, 0, 612, 397], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
          element('stream', 'Stream', [0, 0, 612, 318], { side: 1 }, { bindings: { player: bind('player', 'index') } }),
          text('Name', [20, 320, 340, 76], { font: 'display', size: 36, weight: 700 }, 'item.name'),
        ],
      },
    ),
    element(
      'list',
      'Numbers',
      [24, 104, 1872, 812],
      { source: 'live.sides.0.players', max: 6, direction: 'down', columns: 3, gap: 18 },
      {
        inside: [
          text(
            'Accuracy',
            [376, 320, 216, 76],
            { font: 'display', size: 58, weight: 800, align: 'right', color: 'var(side1)' },
            bind('text', 'item.accuracy', [format('percent', 2)], '–'),
            { animation: { change: { kind: 'count', durationMs: 250 } } },
          ),
          shape('Room', [0, 0, 612, 397], '#00000000'),
        ],
      },
    ),
    ...progress([24, 924, 1872, 6]),
    drawn('mapCard', 'Map', [24, 940, 1140, 124]),
    castersStrip([1188, 956, 708, 92]),
  ],
}
