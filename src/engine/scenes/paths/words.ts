import type { Bound } from '../tree.ts'
import type { Described } from './described.ts'
import { inGroup, map, match, player, playing, row, statistic } from './records.ts'

/** The description of the value at each path. (overlays: Data tree) */

export const described: Described<Bound> = {
  tournament: {
    words: 'The tournament',
    of: {
      guid: ['guid', 'Of the tournament'],
      id: ['text', 'Short id'],
      name: ['text', 'Name'],
      imageUrl: ['address', 'Picture'],
      bannerUrl: ['address', 'Banner'],
      timezone: ['text', 'IANA name'],
    },
  },
  match: {
    words: 'The match that the overlay points at',
    of: {
      guid: ['guid', 'Of the match'],
      number: ['number', 'In its division'],
      label: ['text', 'Bracket, section and round'],
      status: ['text', 'Status'],
      bestOf: ['number', 'Maps at most'],
      winsNeeded: ['number', 'Maps to win'],
      scheduledAt: ['instant', 'When it is planned'],
      startedAt: ['instant', 'When it began'],
      outcome: ['text', 'How it ended'],
    },
  },
  sides: {
    words: 'Both sides, in the order in which they are shown',
    most: 2,
    each: {
      number: ['number', '1 or 2 in the match, whichever is shown first'],
      team: {
        words: 'The team',
        of: {
          guid: ['guid', 'Of the team'],
          name: ['text', 'Name'],
          imageUrl: ['address', 'Picture'],
          color: ['color', 'Colour'],
          isSolo: ['boolean', 'Whether it is one player'],
          seed: ['number', 'Seed'],
        },
      },
      placeholder: ['text', 'Such as “Winner of match 12”, while the team is not known'],
      score: ['number', 'Maps won'],
      result: ['text', 'win, loss or draw'],
      players: { words: 'Players', most: 6, each: player },
    },
  },
  map: {
    words: 'The current map',
    of: {
      ...map,
      pickedBy: ['number', 'Side that picked it'],
      isTiebreaker: ['boolean', 'Whether it is the tiebreaker'],
      target: ['number', 'Score that is to be reached'],
    },
  },
  pickBans: {
    words: 'Picks and bans, in their order',
    most: null,
    each: {
      number: ['number', 'Counted from 1'],
      action: ['text', 'Such as pick or ban'],
      side: ['number', 'Side that acted'],
      map: inGroup('The map'),
    },
  },
  pool: {
    words: 'The pool',
    of: {
      name: ['text', 'Name'],
      maps: {
        words: 'Its maps',
        most: null,
        each: {
          ...map,
          state: ['text', 'Such as free, banned, picked, protected or played'],
          side: ['number', 'Side that made it so'],
          winner: ['number', 'Side that won it'],
          isTiebreaker: ['boolean', 'Whether it is a tiebreaker of the pool'],
        },
      },
    },
  },
  flow: {
    words: 'Picking and playing',
    of: {
      phase: ['text', 'What is under way'],
      turn: {
        words: 'Whose turn it is',
        of: {
          action: ['text', 'What is to be done'],
          side: ['number', 'Which side'],
          run: ['number', 'Which run of the map'],
        },
      },
      clock: {
        words: 'The clock of the turn',
        of: {
          dueAt: ['instant', 'When time is over'],
          remainingMs: ['number', 'What is left while it is paused'],
          pausedAt: ['instant', 'Since when it is paused'],
          seconds: ['number', 'What the turn has'],
        },
      },
      matchPoint: { words: 'Sides that win with the next map', most: 2, each: ['number', 'A side'] },
      seats: {
        words: 'What the sides have left',
        most: 2,
        each: {
          replaysLeft: ['number', 'Replays; nothing where there are none'],
          timeoutsLeft: ['number', 'Timeouts; nothing where there are none'],
        },
      },
    },
  },
  games: {
    words: 'Maps as they were played',
    most: null,
    each: {
      number: ['number', 'Counted from 1'],
      map: inGroup('The map'),
      pickedBy: ['number', 'Side that picked it'],
      isTiebreaker: ['boolean', 'Whether it is a tiebreaker of the pool'],
      phase: ['text', 'What is under way'],
      sides: {
        words: 'Both sides',
        most: 2,
        each: { score: ['number', 'Score'], accuracy: ['number', '0 to 2; above 1 with modifiers alone'] },
      },
      provisional: ['boolean', 'Whether it may change'],
      winner: ['number', 'Side that won'],
      because: ['text', 'Why'],
      run: ['number', 'Which run of the map'],
      scoreToBeat: ['number', 'Score to beat'],
    },
  },
  bracket: {
    words: 'Matches around this one',
    of: {
      before: { words: 'Those that decide who plays here', most: 4, each: match },
      after: { words: 'Where the winner goes, and the loser', most: 2, each: match },
      upcoming: { words: 'The next ones', most: 5, each: match },
      recent: { words: 'The last ones', most: 5, each: match },
      highlighted: { words: 'Those that controllers chose', most: 8, each: match },
    },
  },
  standings: { words: 'Table of the bracket', most: 16, each: row },
  qualifier: { words: 'Table of the qualifier', most: 16, each: row },
  winners: {
    words: 'Placements',
    most: null,
    each: { place: ['number', 'Place'], name: ['text', 'Team'], imageUrl: ['address', 'Picture'] },
  },
  road: { words: 'Matches of the winner, the last one first', most: 8, each: match },
  statistics: {
    words: 'Of all completed matches',
    of: {
      highestAccuracy: { words: 'Highest accuracy', of: statistic },
      mostMisses: { words: 'Most misses', of: statistic },
      mostReplays: { words: 'Most replays', of: statistic },
      longest: { words: 'Longest match', of: statistic },
      shortest: { words: 'Shortest match', of: statistic },
    },
  },
  live: {
    words: 'While a song runs',
    of: {
      sides: {
        words: 'Both sides',
        most: 2,
        each: {
          score: ['number', 'Score'],
          accuracy: ['number', '0 to 2; above 1 with modifiers alone'],
          combo: ['number', 'Notes hit in a row'],
          misses: ['number', 'Notes missed or cut wrongly'],
          players: { words: 'Players', most: 6, each: playing },
        },
      },
      lead: {
        words: 'Who leads',
        of: {
          side: ['number', 'Number of the side in the match'],
          place: ['number', 'Where it is shown: 1 first, 2 second'],
          score: ['number', 'By how many points'],
          accuracy: ['number', 'By how much accuracy'],
        },
      },
      share: ['number', 'Of the first side in all points, 0 to 1'],
      progress: ['number', 'Of the song, 0 to 1'],
      secondsLeft: ['number', 'Of the song'],
      scoreToBeat: ['number', 'Score to beat'],
    },
  },
  casters: {
    words: 'Casters',
    most: 3,
    each: {
      name: ['text', 'Name'],
      pronouns: ['text', 'Pronouns'],
      imageUrl: ['address', 'Picture'],
      handle: ['text', 'Handle'],
    },
  },
  control: {
    words: 'What controllers have set',
    of: {
      scene: ['text', 'Id of the scene that is shown'],
      matchGuid: ['guid', 'Of the match'],
      swapSides: ['boolean', 'Whether the second side is shown first'],
      mapCard: ['text', 'auto, shown or hidden'],
      audio: {
        words: 'Sound of streams',
        of: {
          active: ['number', 'Whose sound is heard: that of one side, or of both'],
          muted: ['boolean', 'Whether nothing is heard'],
          volume: ['number', '0 to 1'],
        },
      },
      casters: {
        words: 'Casters',
        most: 3,
        each: {
          name: ['text', 'Name'],
          pronouns: ['text', 'Pronouns'],
          imageUrl: ['address', 'Picture'],
          handle: ['text', 'Handle'],
          userGuid: ['guid', 'Of the user'],
        },
      },
      flavour: ['text', 'A line of text'],
      highlighted: { words: 'Matches that controllers chose', most: 8, each: ['guid', 'Of a match'] },
      countdownTo: ['instant', 'What is counted down to'],
      blank: ['boolean', 'Whether nothing is shown'],
      custom: { words: 'Values that controllers named', named: true },
      autoAdvance: ['boolean', 'Whether scenes follow the match'],
      autoDelayMs: ['number', 'After how long'],
      revision: ['number', 'Grows with each change'],
      updatedAt: ['instant', 'When something was changed'],
    },
  },
  variables: { words: 'Of the document', named: true },
  time: ['instant', 'Of the service'],
}
