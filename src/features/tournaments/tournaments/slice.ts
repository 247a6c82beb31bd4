import type { Slice } from '../../slice.ts'
import { tournamentMediaFields } from './commands/media.ts'
import { tournamentsConstraints } from './constraints.ts'
import { tournamentsEvents } from './events.ts'
import { resolveTournament } from './resolve.ts'
import { presence } from './routes/presence.ts'
import { htmlInclude, includingOperations, tournamentsOperations } from './routes/tournaments.ts'
import { tournamentsPersonalData } from './store/personal-data.ts'

export const tournaments: Slice = {
  name: 'tournaments',
  tags: { tournaments: 'The tournaments themselves, from draft to completion.' },
  operations: tournamentsOperations,
  ephemeral: [presence],
  includes: { html: htmlInclude },
  including: includingOperations,
  parameters: {
    tournament: {
      description: 'GUID or short id of a tournament.',
      resolve: resolveTournament,
      problems: { 'tournament.unknown': 'missing' },
    },
  },
  constraints: tournamentsConstraints,
  events: tournamentsEvents,
  mediaFields: tournamentMediaFields,
  personalData: tournamentsPersonalData,
}
