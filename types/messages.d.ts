/** The messages of docs/reference/protocol.md. Written by `python -m tools.protocol_types`. */

type int = number;

declare namespace ToEvery {
  type Ping = { type: "ping"; t: number }
}

declare namespace FromEvery {
  type Error = { type: "error"; code: string; detail: string }
}

declare namespace ToMatch {
  type AbortCommand = {
    type: "abort"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
  }
  type ClaimCommand = {
    type: "claim"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
    kind: "win" | "draw" | "caretaker" | "abort"
  }
  type DeclineCommand = {
    type: "decline"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
    kind: "draw" | "take-back" | "pause" | "save" | "resume" | "end"
  }
  type HideCrowdCommand = {
    type: "hide-crowd"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    hidden: boolean
  }
  type HintRequest = {
    type: "hint"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
  }
  type MoveCommand = {
    type: "move"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
    move: string /* 1 to 32 characters */
  }
  type OddsRequest = { type: "odds" }
  type OfferCommand = {
    type: "offer"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
    kind: "draw" | "take-back" | "pause" | "save" | "resume" | "end"
  }
  type ProbeAnswer = { type: "probe"; n: int /* 0 to 1,000,000,000 */ }
  type ReclaimCommand = {
    type: "reclaim"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
  }
  type RematchCommand = { type: "rematch"; id: string /* 8 to 64 of A-Z a-z 0-9 _ - */ }
  type ResignCommand = {
    type: "resign"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    after: int /* 0 to 1,000,000 */
  }
  type SyncRequest = { type: "sync"; after: int /* 0 to 1,000,000 */ }
  type WordsCommand = {
    type: "words"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    words: string /* 1 to 64 characters, none that controls */
  }
  type Message = MoveCommand | ResignCommand | OfferCommand | DeclineCommand | AbortCommand | ClaimCommand | ReclaimCommand | RematchCommand | WordsCommand | HideCrowdCommand | SyncRequest | OddsRequest | HintRequest | ProbeAnswer | ToEvery.Ping
}

declare namespace FromMatch {
  type Accepted = { type: "accepted"; id: string; ply: int }
  type AwayFields = { seat: int; since: int; due: int | null }
  type ClockFields = { left: int[]; running: int | null; at: int; fresh: int[]; budget: int[] }
  type Clocks = {
    type: "clocks"
    ply: int
    clocks: ClockFields
    vacations?: VacationFields[]
    time: int
  }
  type ControlFields = {
    notation: string
    initial: int
    increment: int
    per_move: int
    simple_delay: int
    host: int | null
    extra: int
    first_move: int | null
  }
  type Crowd = {
    type: "crowd"
    watchers: int
    names: string[]
    present: int[]
    away: AwayFields[]
    hidden: boolean
    hidden_by: int[]
  }
  type DiceFields = { commitment: string; words: string[]; secret: string | null }
  type Hint = {
    type: "hint"
    ply: int
    move: string
    share: number
    score: int | null
    proved: boolean
  }
  type MatchFields = {
    id: string
    game: string
    options: object
    from_position: boolean
    rated: boolean
    draws: boolean
    shared: boolean
    absence: int | null
    seats: SeatFields[]
    offered: int[]
    rematch: string | null
    dice: DiceFields | null
    clock: ControlFields | null
  }
  type MayFields = {
    commands: ("move" | "resign" | "decline" | "abort" | "reclaim" | "words" | "rematch")[]
    offer: ("draw" | "take-back" | "pause" | "save" | "resume" | "end")[]
    agree: ("draw" | "take-back" | "pause" | "save" | "resume" | "end")[]
    claim: ("win" | "draw" | "caretaker" | "abort")[]
  }
  type Odds = { type: "odds"; ply: int; chance: number | null }
  type OfferFields = {
    kind: "draw" | "take-back" | "pause" | "save" | "resume" | "end"
    by: int
    agreed: int[]
    until: int
  }
  type Offers = { type: "offers"; ply: int; offers: OfferFields[]; may?: MayFields }
  type OutcomeFields = { winners: int[]; reason: string; scores: int[] }
  type Plies = {
    type: "plies"
    after: int
    plies: PlyFields[]
    outcome: OutcomeFields | null
    halted?: "paused" | "saved" | null
    idle_due?: int | null
    acted?: int[]
    left?: int[]
    caretaken?: int[]
    secret?: string
    time?: int
    may?: MayFields
    legal?: string[]
  }
  type PlyFields = {
    number: int
    seat: int | null
    action: string
    dice: int[] | null
    events: Boards.Event[]
    state: Boards.State
    command: string | null
    at: string
    clocks?: ClockFields
  }
  type Pong = { type: "pong"; t: number; ply: int }
  type Probe = { type: "probe"; n: int }
  type Refused = {
    type: "refused"
    id: string | null
    code: string
    detail: string
    ply?: int
    state?: Boards.State
    halted?: "paused" | "saved" | null
    idle_due?: int | null
    acted?: int[]
    left?: int[]
    caretaken?: int[]
    may?: MayFields
    legal?: string[]
  }
  type Rematch = { type: "rematch"; offered: int[]; match: string | null }
  type SeatFields = { seat: int; name: string; level: int | null }
  type Snapshot = {
    type: "snapshot"
    match: MatchFields
    you: int | null
    ply: int
    start: Boards.State
    state: Boards.State
    outcome: OutcomeFields | null
    halted: "paused" | "saved" | null
    idle_due: int | null
    acted: int[]
    left: int[]
    caretaken: int[]
    offers: OfferFields[]
    may?: MayFields
    legal?: string[]
    clocks?: ClockFields
    vacations?: VacationFields[]
    time: int
    watchers: int
    names: string[]
    present: int[]
    away: AwayFields[]
    hidden: boolean
    hidden_by: int[]
  }
  type VacationFields = { seat: int; begins: int; ends: int }
  type Waking = { type: "waking"; ply: int }
  type Words = { type: "words"; words: string[] }
  type Message = Snapshot | Plies | Accepted | Refused | Crowd | Offers | Rematch | Words | Odds | Hint | Waking | Clocks | Probe | Pong | FromEvery.Error
}

declare namespace ToLobby {
  type ChatRequest = { type: "chat" }
  type ListRequest = { type: "list" }
  type SayCommand = {
    type: "say"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    text: string /* 0 to 4,000 characters */
  }
  type Message = ListRequest | ChatRequest | SayCommand | ToEvery.Ping
}

declare namespace FromLobby {
  type Accepted = { type: "accepted"; id: string }
  type Chat = { type: "chat"; lines: LineFields[]; silenced: string[]; heard: string[] | null }
  type CountFields = { online: int; playing: int; waiting: int; seeks: SeekersFields[] }
  type Counts = { type: "counts"; online: int; playing: int; waiting: int; seeks: SeekersFields[] }
  type Latest = { type: "latest"; number: int }
  type Line = { type: "line"; line: LineFields }
  type LineFields = { id: int; name: string; text: string; at: string }
  type LineGone = { type: "line-gone"; id: int }
  type Lobby = {
    type: "lobby"
    number: int
    counts: CountFields
    tables: TableFields[]
    matches: MatchFields[]
    featured: string | null
    live: { [name: string]: string }
  }
  type MatchBegun = { type: "match"; number: int; match: MatchFields }
  type MatchFields = {
    id: string
    game: string
    title: string
    players: string[]
    levels: (int | null)[]
    holder: string | null
    table: string | null
    watchers: int
    watchable: boolean
    delay: int
  }
  type MatchOver = { type: "match-over"; number: int; id: string }
  type MatchesBegun = { type: "matches"; number: int; matches: MatchFields[] }
  type Pong = { type: "pong"; t: number; number: int }
  type Refused = { type: "refused"; id: string; code: string; detail: string }
  type Renamed = { type: "renamed"; old: string; new: string }
  type SeekersFields = { game: string; tile: string; rated: boolean; people: int }
  type TableChange = { type: "table"; number: int; table: TableFields }
  type TableFields = {
    id: string
    game: string
    title: string
    preset: string
    options_in_words: string[]
    host: string
    seats: int
    taken: string[]
    levels: (int | null)[]
    match: string | null
    listed: boolean
    invited: string | null
    terms_in_words: string[]
    rated: boolean
    pool: string
    lowest_rating: int | null
    highest_rating: int | null
  }
  type TableGone = { type: "table-gone"; number: int; id: string; begun: boolean }
  type Watching = {
    type: "watching"
    counts: { [name: string]: int }
    featured: string | null
    live: { [name: string]: string }
  }
  type Message = Lobby | TableChange | TableGone | MatchBegun | MatchesBegun | MatchOver | Counts | Watching | Latest | Pong | Chat | Line | LineGone | Renamed | Accepted | Refused | FromEvery.Error
}

declare namespace ToPersonal {
  type LookingNote = {
    type: "looking"
    at: string /* 0 to 200 characters, none that controls */ | null
  }
  type PairingRequest = { type: "pairing" }
  type PeopleRequest = { type: "people" }
  type RatingRequest = { type: "rating"; match: string /* ^[A-Za-z0-9]{1,32}$ */ }
  type SavedRequest = { type: "saved" }
  type Message = PeopleRequest | PairingRequest | SavedRequest | LookingNote | RatingRequest | ToEvery.Ping
}

declare namespace FromPersonal {
  type Begun = { type: "begun"; match: string; rematch_of: string | null; title: string }
  type CallFields = {
    match: string
    kind: "resume" | "rematch"
    by: string
    title: string
    left: int | null
  }
  type CallMade = { type: "call"; call: CallFields }
  type CallOver = { type: "call-over"; match: string }
  type ChangeFields = { before: int; after: int; provisional: boolean }
  type ComputerFields = { name: string; level: int; after: number }
  type Declined = { type: "declined"; table: string; name: string; title: string }
  type Hello = {
    type: "hello"
    seek: SeekFields | null
    paired: PairedFields | null
    challenges: TableFields[]
    calls: CallFields[]
    waiting: string[]
    left: { [name: string]: int }
    next: NextMatchFields[]
    muted: MuteFields | null
    unread: int
  }
  type InboxMessage = { type: "message"; message: MessageFields; unread: int }
  type MatchFields = {
    id: string
    game: string
    title: string
    players: string[]
    levels: (int | null)[]
    holder: string | null
    table: string | null
    watchers: int
    watchable: boolean
    delay: int
  }
  type MessageFields = { id: int; sender: string; recipient: string; text: string; at: string }
  type MessageGone = { type: "message-gone"; id: int }
  type MuteFields = { words: string; left: int }
  type Muted = { type: "muted"; muted: MuteFields | null }
  type MyMatch = { type: "match"; match: MatchFields }
  type MyMatchOver = { type: "match-over"; id: string }
  type MyTable = { type: "table"; table: TableFields }
  type MyTableGone = { type: "table-gone"; id: string; begun: boolean }
  type NextMatch = { type: "next-match"; next: NextMatchFields }
  type NextMatchFields = {
    match: string
    tournament: string
    name: string
    title: string
    round: int
    table: int
    opponents: string[]
    left: int | null
  }
  type OtherFields = { name: string; here: boolean; words: string }
  type OthersChange = { before: int; after: int; provisional: boolean; name: string }
  type PairedFields = { match: string; opponents: string[] }
  type Pairing = { type: "pairing"; seek: SeekFields | null; paired: PairedFields | null }
  type People = { type: "people"; people: PersonFields[] }
  type PersonFields = { name: string; online: boolean; match: string | null; words: string }
  type PersonalPong = { type: "pong"; t: number }
  type RatingChange = {
    type: "rating"
    match: string
    change: ChangeFields | null
    others: OthersChange[]
  }
  type SavedFields = {
    id: string
    title: string
    players: string[]
    words: string
    others: OtherFields[]
  }
  type SavedMatches = { type: "saved"; matches: SavedFields[] }
  type SeekFields = {
    game: string
    title: string
    preset: string
    clock: string
    rated: boolean
    seats: int
    waited: number
    computer: ComputerFields | null
  }
  type Silenced = { type: "silenced"; names: string[] }
  type TableFields = {
    id: string
    game: string
    title: string
    preset: string
    options_in_words: string[]
    host: string
    seats: int
    taken: string[]
    levels: (int | null)[]
    match: string | null
    listed: boolean
    invited: string | null
    terms_in_words: string[]
    rated: boolean
    pool: string
    lowest_rating: int | null
    highest_rating: int | null
  }
  type Turn = { type: "turn"; match: string; mine: boolean; left: int | null }
  type Unread = { type: "unread"; unread: int }
  type Message = InboxMessage | MessageGone | Unread | Hello | Pairing | Silenced | Muted | People | MyTable | MyTableGone | Declined | MyMatch | MyMatchOver | Turn | CallMade | CallOver | Begun | NextMatch | SavedMatches | RatingChange | PersonalPong | FromEvery.Error
}

declare namespace ToWatch {
  type ShowRequest = { type: "show"; matches: (string /* ^[A-Za-z0-9]{1,32}$ */)[] /* 24 at most */ }
  type Message = ShowRequest | ToEvery.Ping
}

declare namespace FromWatch {
  type Board = {
    type: "board"
    match: string
    ply: int
    events: Boards.Event[]
    state: Boards.State
    outcome: OutcomeFields | null
  }
  type Hello = { type: "hello" }
  type NotShown = {
    type: "not-shown"
    match: string
    code: "players-only" | "unknown-match" | "unavailable"
  }
  type OutcomeFields = { winners: int[]; reason: string; scores: int[] }
  type Pong = { type: "pong"; t: number }
  type Shown = {
    type: "shown"
    match: ShownFields
    ply: int
    state: Boards.State
    outcome: OutcomeFields | null
  }
  type ShownFields = { id: string; game: string; options: object; players: string[]; delay: int }
  type Message = Hello | Shown | NotShown | Board | Pong | FromEvery.Error
}

declare namespace ToChat {
  type ChatRequest = { type: "chat" }
  type PresetCommand = {
    type: "preset"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    room: "players" | "watchers"
    preset: string /* 0 to 20 characters */
  }
  type TalkCommand = {
    type: "say"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    room: "players" | "watchers"
    text: string /* 0 to 4,000 characters */
  }
  type Message = ChatRequest | TalkCommand | PresetCommand | ToEvery.Ping
}

declare namespace FromChat {
  type Accepted = { type: "accepted"; id: string }
  type LineGone = { type: "line-gone"; id: int }
  type PersonalPong = { type: "pong"; t: number }
  type Refused = { type: "refused"; id: string; code: string; detail: string }
  type Renamed = { type: "renamed"; old: string; new: string }
  type Rooms = {
    type: "rooms"
    read: ("players" | "watchers")[]
    speak: ("players" | "watchers")[]
    lines: TalkLineFields[]
    silenced: string[]
    heard: string[] | null
  }
  type TalkLine = { type: "line"; line: TalkLineFields }
  type TalkLineFields = {
    id: int
    name: string
    text: string
    at: string
    room: "players" | "watchers"
    preset: string | null
    called: string | null
  }
  type Message = Rooms | TalkLine | LineGone | Renamed | Accepted | Refused | PersonalPong | FromEvery.Error
}

declare namespace ToClub {
  type ChatRequest = { type: "chat" }
  type SayCommand = {
    type: "say"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    text: string /* 0 to 4,000 characters */
  }
  type Message = ChatRequest | SayCommand | ToEvery.Ping
}

declare namespace FromClub {
  type Accepted = { type: "accepted"; id: string }
  type Chat = { type: "chat"; lines: LineFields[]; silenced: string[]; heard: string[] | null }
  type Line = { type: "line"; line: LineFields }
  type LineFields = { id: int; name: string; text: string; at: string }
  type LineGone = { type: "line-gone"; id: int }
  type PersonalPong = { type: "pong"; t: number }
  type Refused = { type: "refused"; id: string; code: string; detail: string }
  type Renamed = { type: "renamed"; old: string; new: string }
  type Message = Chat | Line | LineGone | Renamed | Accepted | Refused | PersonalPong | FromEvery.Error
}

declare namespace ToStudy {
  type Add = {
    kind: "add"
    parent: int /* 0 to 1,000,000,000 */
    action: string /* 1 to 32 characters */
    dice?: (int /* 0 to 100 */)[] /* 100 at most */ | null
  }
  type CursorNote = {
    type: "cursor"
    chapter: int /* 1 to 9,007,199,254,740,992 */
    node: int /* 0 to 1,000,000,000 */
    leads: boolean
    follows?: boolean
  }
  type OperateCommand = {
    type: "operate"
    id: string /* 8 to 64 of A-Z a-z 0-9 _ - */
    chapter: int /* 1 to 9,007,199,254,740,992 */
    operation: Add | SetComment | SetGlyph | SetMarks | Promote | Remove
  }
  type Promote = { kind: "promote"; node: int /* 0 to 1,000,000,000 */ }
  type Remove = {
    kind: "remove"
    node: int /* 0 to 1,000,000,000 */
    seen: int /* 0 to 1,000,000,000 */
  }
  type SetComment = {
    kind: "comment"
    node: int /* 0 to 1,000,000,000 */
    text: string /* 0 to 1,000 characters */
  }
  type SetGlyph = { kind: "glyph"; node: int /* 0 to 1,000,000,000 */; glyph: "" | "!" | "?" | "!?" }
  type SetMarks = {
    kind: "marks"
    node: int /* 0 to 1,000,000,000 */
    marks: (string /* 0 to 25 characters, place or place>place */)[] /* 32 at most */
  }
  type Message = OperateCommand | CursorNote | ToEvery.Ping
}

declare namespace FromStudy {
  type ChapterChanged = {
    type: "changed"
    chapter: int
    number: int
    by: string
    nodes: NodeFields[]
    plies: { [name: string]: PositionFields }
  }
  type ChapterFields = { id: int; title: string; number: int }
  type Cursor = {
    type: "cursor"
    by: string
    chapter: int
    node: int
    leads: boolean
    follows: boolean
  }
  type DueFields = { count: int; sides: int }
  type Left = { type: "left"; by: string }
  type NodeFields = {
    id: int
    parent?: int
    action?: string
    dice?: int[]
    comment?: string
    glyph?: string
    marks?: string[]
    rank: int
    removed: boolean
  }
  type OperationDone = { type: "accepted"; id: string; number: int; node: int }
  type OutcomeFields = { winners: int[]; reason: string; scores: int[] }
  type PersonalPong = { type: "pong"; t: number }
  type PositionFields = {
    action: string
    dice: int[] | null
    events: Boards.Event[]
    state: Boards.State
    position: string
    legal: string[]
    due: DueFields | null
    outcome: OutcomeFields | null
    value: ProvedFields | null
  }
  type ProvedFields = { result: int; score: int | null; turns: int | null }
  type Refused = { type: "refused"; id: string; code: string; detail: string }
  type StudyNow = {
    type: "study"
    title: string
    role: "read" | "comment" | "write" | "owner"
    chapters: ChapterFields[]
  }
  type Message = StudyNow | ChapterChanged | Cursor | Left | OperationDone | Refused | PersonalPong | FromEvery.Error
}
