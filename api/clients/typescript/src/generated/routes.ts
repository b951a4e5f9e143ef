/** Generated from the OpenAPI document by `test/clients/typescript-client.long.test.ts`. */

export interface Routes {
  '/health': {
    path: {}
    query: {}
    answer: GetHealthAnswer200
  }
  '/livez': {
    path: {}
    query: {}
    answer: GetLivezAnswer
  }
  '/readyz': {
    path: {}
    query: {}
    answer: GetReadyzAnswer200
  }
  '/sports': {
    path: {}
    query: {
      include_empty?: boolean
      limit?: number
      offset?: number
    }
    answer: GetSportsAnswer
  }
  '/sports/{sportId}': {
    path: {
      sportId: string
    }
    query: {}
    answer: GetSportAnswer
  }
  '/leagues': {
    path: {}
    query: {
      sport?: string[]
      include_empty?: boolean
      limit?: number
      offset?: number
    }
    answer: GetLeaguesAnswer
  }
  '/leagues/{leagueId}': {
    path: {
      leagueId: string
    }
    query: {}
    answer: GetLeagueAnswer
  }
  '/sportsbooks': {
    path: {}
    query: {
      region?: 'US' | 'UK' | 'EU' | 'AU' | 'GLOBAL'
      sharp?: boolean
      catalog?: boolean
      include_inactive?: boolean
      include_unlisted?: boolean
      limit?: number
      offset?: number
    }
    answer: GetSportsbooksAnswer
  }
  '/sportsbooks/{bookId}': {
    path: {
      bookId: string
    }
    query: {}
    answer: GetSportsbookAnswer
  }
  '/markets': {
    path: {}
    query: {
      sport?: string[]
      limit?: number
      offset?: number
    }
    answer: GetMarketsAnswer
  }
  '/teams': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      q?: string
      limit?: number
      offset?: number
    }
    answer: GetTeamsAnswer
  }
  '/odds': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      event?: string[]
      live?: boolean
      team?: string[]
      date?: string
      q?: string
      limit?: number
      market?: string[]
      min_odds?: number
      max_odds?: number
      is_main_line?: boolean
      is_book_main_line?: boolean
      is_stale_pregame_price?: boolean
      offset?: number
      cursor?: string
      sort?:
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'event_start_time'
        | 'last_seen_at'
        | 'timestamp'
        | 'sportsbook'
        | 'league'
        | 'sport'
        | '-odds_american'
        | '-odds_decimal'
        | '-odds_probability'
        | '-probability'
        | '-event_start_time'
        | '-last_seen_at'
        | '-timestamp'
        | '-sportsbook'
        | '-league'
        | '-sport'
      fields?: (
        | 'id'
        | 'sportsbook'
        | 'sportsbook_name'
        | 'event_id'
        | 'sport'
        | 'league'
        | 'home_team'
        | 'away_team'
        | 'market_type'
        | 'selection'
        | 'selection_type'
        | 'line'
        | 'event_start_time'
        | 'player_name'
        | 'deep_link'
        | 'stat_category'
        | 'last_seen_at'
        | 'timestamp'
        | 'odds_changed_at'
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'is_live'
        | 'is_active'
        | 'status'
        | 'max_bet'
        | 'public_bet_pct'
        | 'is_stale_pregame_price'
        | 'withheld'
        | 'is_main_line'
        | 'is_alternate_line'
      )[]
      group_by?: 'event'
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
      as_of?: string
    }
    answer: GetOddsAnswer
  }
  '/odds/delta': {
    path: {}
    query: {
      since?: string
      resume_from?: string
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      event?: string[]
      team?: string[]
      date?: string
      q?: string
      live?: boolean
      min_odds?: number
      max_odds?: number
      is_main_line?: boolean
      is_book_main_line?: boolean
      is_stale_pregame_price?: boolean
      sort?:
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'event_start_time'
        | 'last_seen_at'
        | 'timestamp'
        | 'sportsbook'
        | 'league'
        | 'sport'
        | '-odds_american'
        | '-odds_decimal'
        | '-odds_probability'
        | '-probability'
        | '-event_start_time'
        | '-last_seen_at'
        | '-timestamp'
        | '-sportsbook'
        | '-league'
        | '-sport'
      fields?: (
        | 'id'
        | 'sportsbook'
        | 'sportsbook_name'
        | 'event_id'
        | 'sport'
        | 'league'
        | 'home_team'
        | 'away_team'
        | 'market_type'
        | 'selection'
        | 'selection_type'
        | 'line'
        | 'event_start_time'
        | 'player_name'
        | 'deep_link'
        | 'stat_category'
        | 'last_seen_at'
        | 'timestamp'
        | 'odds_changed_at'
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'is_live'
        | 'is_active'
        | 'status'
        | 'max_bet'
        | 'public_bet_pct'
        | 'is_stale_pregame_price'
        | 'withheld'
      )[]
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
      limit?: number
      offset?: number
    }
    answer: GetOddsDeltaAnswer
  }
  '/odds/best': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      event?: string[]
      live?: boolean
      team?: string[]
      date?: string
      q?: string
      limit?: number
      market?: string[]
      min_odds?: number
      max_odds?: number
      is_main_line?: boolean
      is_book_main_line?: boolean
      is_stale_pregame_price?: boolean
      offset?: number
      cursor?: string
      sort?:
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'event_start_time'
        | 'last_seen_at'
        | 'timestamp'
        | 'sportsbook'
        | 'league'
        | 'sport'
        | '-odds_american'
        | '-odds_decimal'
        | '-odds_probability'
        | '-probability'
        | '-event_start_time'
        | '-last_seen_at'
        | '-timestamp'
        | '-sportsbook'
        | '-league'
        | '-sport'
      fields?: (
        | 'id'
        | 'sportsbook'
        | 'sportsbook_name'
        | 'event_id'
        | 'sport'
        | 'league'
        | 'home_team'
        | 'away_team'
        | 'market_type'
        | 'selection'
        | 'selection_type'
        | 'line'
        | 'event_start_time'
        | 'player_name'
        | 'deep_link'
        | 'stat_category'
        | 'last_seen_at'
        | 'timestamp'
        | 'odds_changed_at'
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'is_live'
        | 'is_active'
        | 'status'
        | 'max_bet'
        | 'public_bet_pct'
        | 'is_stale_pregame_price'
        | 'withheld'
        | 'is_main_line'
        | 'is_alternate_line'
      )[]
      group_by?: 'event'
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
      as_of?: string
    }
    answer: GetOddsBestAnswer
  }
  '/odds/comparison': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      event: string[]
      live?: boolean
      team?: string[]
      date?: string
      q?: string
      limit?: number
      market?: string[]
      min_odds?: number
      max_odds?: number
      is_main_line?: boolean
      is_book_main_line?: boolean
      is_stale_pregame_price?: boolean
      offset?: number
      cursor?: string
      sort?:
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'event_start_time'
        | 'last_seen_at'
        | 'timestamp'
        | 'sportsbook'
        | 'league'
        | 'sport'
        | '-odds_american'
        | '-odds_decimal'
        | '-odds_probability'
        | '-probability'
        | '-event_start_time'
        | '-last_seen_at'
        | '-timestamp'
        | '-sportsbook'
        | '-league'
        | '-sport'
      fields?: (
        | 'id'
        | 'sportsbook'
        | 'sportsbook_name'
        | 'event_id'
        | 'sport'
        | 'league'
        | 'home_team'
        | 'away_team'
        | 'market_type'
        | 'selection'
        | 'selection_type'
        | 'line'
        | 'event_start_time'
        | 'player_name'
        | 'deep_link'
        | 'stat_category'
        | 'last_seen_at'
        | 'timestamp'
        | 'odds_changed_at'
        | 'odds_american'
        | 'odds_decimal'
        | 'odds_probability'
        | 'probability'
        | 'is_live'
        | 'is_active'
        | 'status'
        | 'max_bet'
        | 'public_bet_pct'
        | 'is_stale_pregame_price'
        | 'withheld'
        | 'is_main_line'
        | 'is_alternate_line'
      )[]
      group_by?: 'event'
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
      as_of?: string
    }
    answer: GetOddsComparisonAnswer
  }
  '/odds/closing': {
    path: {}
    query: {
      event_id: string
      sportsbook?: string[]
    }
    answer: GetOddsClosingAnswer
  }
  '/events': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      event?: string[]
      live?: boolean
      team?: string[]
      date?: string
      q?: string
      limit?: number
      has_score?: boolean
      offset?: number
      cursor?: string
    }
    answer: GetEventsAnswer
  }
  '/events/{eventId}': {
    path: {
      eventId: string
    }
    query: {}
    answer: GetEventAnswer
  }
  '/events/{eventId}/odds': {
    path: {
      eventId: string
    }
    query: {
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      live?: boolean
      limit?: number
      offset?: number
    }
    answer: GetEventOddsAnswer
  }
  '/events/{eventId}/markets': {
    path: {
      eventId: string
    }
    query: {
      limit?: number
      offset?: number
    }
    answer: GetEventMarketsAnswer
  }
  '/gamestate': {
    path: {}
    query: {}
    answer: GetGamestateAnswer
  }
  '/gamestate/{sport}': {
    path: {
      sport: string
    }
    query: {}
    answer: GetGamestateAnswer
  }
  '/odds/{id}/history': {
    path: {
      id: string
    }
    query: {
      from?: string
      to?: string
      limit?: number
      offset?: number
      format?: 'json' | 'csv' | 'ndjson' | 'parquet'
    }
    answer: GetOddsHistoryAnswer
  }
  '/events/{eventId}/history': {
    path: {
      eventId: string
    }
    query: {
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      limit?: number
      offset?: number
      points?: number
      format?: 'json' | 'csv' | 'ndjson' | 'parquet'
    }
    answer: GetEventHistoryAnswer
  }
  '/movements': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      event?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      live?: boolean
      min_books?: number
      seconds?: number
      min_move?: number
      from?: string
      to?: string
      limit?: number
      offset?: number
      format?: 'json' | 'csv' | 'ndjson' | 'parquet'
    }
    answer: GetMovementsAnswer
  }
  '/opportunities/ev': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      event?: string[]
      team?: string[]
      live?: boolean
      min_age_ms?: number
      min_odds?: number
      max_odds?: number
      date_range?: 'today' | 'tomorrow' | 'week'
      limit?: number
      offset?: number
      min_ev?: number
      max_ev?: number
      min_market_width?: number
      max_market_width?: number
      max_hold?: number
      min_kelly?: number
      max_kelly?: number
      min_confidence?: number
      max_confidence?: number
      max_odds_age?: number
      is_player_prop?: boolean
      is_alternate_line?: boolean
      arb_available?: boolean
      player_name?: string
      stat_category?: string
      selection?: string
      devig_book?: string
      sort?:
        | 'ev'
        | 'confidence'
        | 'confidence_score'
        | 'kelly'
        | 'kelly_percent'
        | 'time'
        | 'start_time'
        | 'book_count'
        | 'books'
        | 'odds'
        | '-ev'
        | '-confidence'
        | '-confidence_score'
        | '-kelly'
        | '-kelly_percent'
        | '-time'
        | '-start_time'
        | '-book_count'
        | '-books'
        | '-odds'
    }
    answer: GetOpportunitiesEvAnswer
  }
  '/opportunities/arbitrage': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      event?: string[]
      team?: string[]
      live?: boolean
      min_age_ms?: number
      min_odds?: number
      max_odds?: number
      date_range?: 'today' | 'tomorrow' | 'week'
      limit?: number
      offset?: number
      min_profit?: number
      max_odds_age?: number
      group?: 'best'
      format?: 'json' | 'csv'
      sort?:
        | 'profit'
        | 'time'
        | 'start_time'
        | 'sport'
        | 'market'
        | '-profit'
        | '-time'
        | '-start_time'
        | '-sport'
        | '-market'
    }
    answer: GetOpportunitiesArbitrageAnswer
  }
  '/opportunities/middles': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      event?: string[]
      team?: string[]
      live?: boolean
      min_age_ms?: number
      min_odds?: number
      max_odds?: number
      date_range?: 'today' | 'tomorrow' | 'week'
      limit?: number
      offset?: number
      min_size?: number
      max_odds_age?: number
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
      sort?:
        | 'quality'
        | 'ev'
        | 'probability'
        | 'middle_size'
        | '-quality'
        | '-ev'
        | '-probability'
        | '-middle_size'
    }
    answer: GetOpportunitiesMiddlesAnswer
  }
  '/opportunities/middles/summary': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
    }
    answer: GetOpportunitiesMiddlesSummaryAnswer
  }
  '/opportunities/middles/{id}': {
    path: {
      id: string
    }
    query: {}
    answer: GetOpportunitiesMiddleAnswer
  }
  '/opportunities/low_hold': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      event?: string[]
      team?: string[]
      live?: boolean
      min_age_ms?: number
      min_odds?: number
      max_odds?: number
      date_range?: 'today' | 'tomorrow' | 'week'
      limit?: number
      offset?: number
      max_hold?: number
      max_odds_age?: number
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
      sort?: 'hold' | 'market' | 'sport' | '-hold' | '-market' | '-sport'
    }
    answer: GetOpportunitiesLowHoldAnswer
  }
  '/opportunities/lives': {
    path: {}
    query: {
      kind?: ('ev' | 'arbitrage' | 'middle' | 'low_hold')[]
      sport?: string[]
      league?: string[]
      event?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      market?: string[]
      live?: boolean
      min_profit?: number
      from?: string
      to?: string
      limit?: number
      offset?: number
      format?: 'json' | 'csv' | 'ndjson' | 'parquet'
    }
    answer: GetOpportunitiesLivesAnswer
  }
  '/opportunities/{id}/explain': {
    path: {
      id: string
    }
    query: {
      total?: number
      unit?: number
      kelly?: number
    }
    answer: GetOpportunityExplainAnswer
  }
  '/futures': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      future_type?: 'TEAM' | 'PLAYER' | 'OVER_UNDER' | 'YES_NO'
      limit?: number
      offset?: number
    }
    answer: GetFuturesAnswer
  }
  '/futures/odds': {
    path: {}
    query: {
      future_id?: string
      market?: string[]
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      future_type?: 'TEAM' | 'PLAYER' | 'OVER_UNDER' | 'YES_NO'
      limit?: number
      offset?: number
    }
    answer: GetFuturesOddsAnswer
  }
  '/futures/comparison': {
    path: {}
    query: {
      future_id: string
      sportsbook?: string[]
      add_sportsbook?: string[]
    }
    answer: GetFuturesComparisonAnswer
  }
  '/historical/clv': {
    path: {}
    query: {
      from?: string
      to?: string
      group_by?: 'sportsbook' | 'sport' | 'league' | 'market' | 'day'
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      fields?: (
        | 'group_key'
        | 'samples'
        | 'events'
        | 'avg_clv_percent'
        | 'avg_clv_interval'
        | 'avg_abs_clv_percent'
        | 'avg_abs_clv_interval'
        | 'distinct_books'
        | 'distinct_sports'
      )[]
    }
    answer: GetHistoricalClvAnswer
  }
  '/historical/odds/closing': {
    path: {}
    query: {
      date: string
      sport: string
      league: string
    }
    answer: GetHistoricalOddsClosingAnswer
  }
  '/splits': {
    path: {}
    query: {
      sport?: string[]
      league?: string[]
      sportsbook?: string[]
      add_sportsbook?: string[]
      event?: string[]
      market?: ('spread' | 'total' | 'moneyline')[]
      limit?: number
      offset?: number
    }
    answer: GetSplitsAnswer
  }
  '/splits/history': {
    path: {}
    query: {
      event_id: string
      sportsbook?: string[]
      start_time?: string
      end_time?: string
      limit?: number
    }
    answer: GetSplitsHistoryAnswer
  }
  '/deeplinks': {
    path: {}
    query: {
      id: string
      state?:
        | 'al'
        | 'ak'
        | 'az'
        | 'ar'
        | 'ca'
        | 'co'
        | 'ct'
        | 'de'
        | 'dc'
        | 'fl'
        | 'ga'
        | 'hi'
        | 'id'
        | 'il'
        | 'in'
        | 'ia'
        | 'ks'
        | 'ky'
        | 'la'
        | 'me'
        | 'md'
        | 'ma'
        | 'mi'
        | 'mn'
        | 'ms'
        | 'mo'
        | 'mt'
        | 'ne'
        | 'nv'
        | 'nh'
        | 'nj'
        | 'nm'
        | 'ny'
        | 'nc'
        | 'nd'
        | 'oh'
        | 'ok'
        | 'or'
        | 'pa'
        | 'pr'
        | 'ri'
        | 'sc'
        | 'sd'
        | 'tn'
        | 'tx'
        | 'ut'
        | 'vt'
        | 'va'
        | 'wa'
        | 'wv'
        | 'wi'
        | 'wy'
    }
    answer: GetDeeplinksAnswer
  }
  '/account': {
    path: {}
    query: {}
    answer: GetAccountAnswer
  }
  '/account/usage': {
    path: {}
    query: {}
    answer: GetAccountUsageAnswer
  }
  '/account/keys': {
    path: {}
    query: {
      limit?: number
      offset?: number
    }
    answer: GetAccountKeysAnswer
  }
  '/account/bets': {
    path: {}
    query: {
      limit?: number
      offset?: number
      sportsbook?: string[]
      league?: string[]
      market?: string[]
      from?: string
      to?: string
      found?: boolean
      format?: 'json' | 'csv'
    }
    answer: GetAccountBetsAnswer
  }
  '/account/bets/clv': {
    path: {}
    query: {
      limit?: number
      offset?: number
      sportsbook?: string[]
      league?: string[]
      market?: string[]
      from?: string
      to?: string
    }
    answer: GetAccountBetsClvAnswer
  }
}
export interface GetHealthAnswer200 {
  status: 'ok' | 'degraded' | 'down'
  version: 'v1'
  timestamp: string
  checks: {
    redis: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
    data: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
    schema: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
  }
  archive?: {
    state: 'starting' | 'answering' | 'unavailable' | 'absent'
    since: string
    reason: string | null
    records_behind: number | null
    seconds_behind: number | null
  }
  sources?: {
    [k: string]: number
  }
}
export interface GetLivezAnswer {
  status: 'ok'
}
export interface GetReadyzAnswer200 {
  status: 'ready' | 'starting' | 'stopping'
  reason?: string
  checks: {
    storage: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
    log: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
    pipelines?: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
    clock: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
    archive?: {
      status: 'ok' | 'degraded' | 'down'
      latency_ms?: number
      message?: string
    }
  }
}
export interface GetSportsAnswer {
  success: boolean
  data: Sport[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface Sport {
  id: string
  numerical_id: number | null
  name: string
  display_name: string
  slug: string
  active: boolean
  leagues: string[]
  event_count: number
  live_count: number
}
export interface Pagination {
  limit: number
  offset: number
  count: number
  total: number
  has_more: boolean
  next_offset: number | null
}
export interface Filters {
  [k: string]: string[] | string | number | boolean
}
export interface GetSportAnswer {
  success: boolean
  data: Sport
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetLeaguesAnswer {
  success: boolean
  data: League[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface League {
  id: string
  numerical_id: number | null
  name: string
  display_name: string
  slug: string
  sport: string
  sport_id: string
  country: string | null
  active: boolean
  event_count: number
  live_count: number
}
export interface GetLeagueAnswer {
  success: boolean
  data: League
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetSportsbooksAnswer {
  success: boolean
  data: Sportsbook[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
  retired: string[]
}
export interface Sportsbook {
  id: string
  numerical_id: number | null
  name: string
  display_name: string
  short_name: string
  slug: string
  active: boolean
  status: 'active' | 'inactive' | 'limited'
  category:
    | 'us_retail'
    | 'us_offshore'
    | 'sharp'
    | 'exchange'
    | 'prediction_market'
    | 'dfs'
    | 'social'
    | 'international'
    | 'unlisted'
  is_sharp: boolean
  has_live_odds: boolean
  has_player_props: boolean
  regions: ('US' | 'UK' | 'EU' | 'AU' | 'GLOBAL')[]
  features: string[]
  requires_tier: 'hobby' | 'pro' | 'sharp' | null
  event_count: number
  last_update: string | null
  source_status: 'up' | 'down' | null
  source_since: string | null
  coming_soon: boolean
  unlisted: boolean
}
export interface GetSportsbookAnswer {
  success: boolean
  data: SportsbookDetail
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface SportsbookDetail {
  id: string
  numerical_id: number | null
  name: string
  display_name: string
  short_name: string
  slug: string
  active: boolean
  status: 'active' | 'inactive' | 'limited'
  category:
    | 'us_retail'
    | 'us_offshore'
    | 'sharp'
    | 'exchange'
    | 'prediction_market'
    | 'dfs'
    | 'social'
    | 'international'
    | 'unlisted'
  is_sharp: boolean
  has_live_odds: boolean
  has_player_props: boolean
  regions: ('US' | 'UK' | 'EU' | 'AU' | 'GLOBAL')[]
  features: string[]
  requires_tier: 'hobby' | 'pro' | 'sharp' | null
  event_count: number
  last_update: string | null
  source_status: 'up' | 'down' | null
  source_since: string | null
  coming_soon: boolean
  unlisted: boolean
  sports: string[]
  markets: string[]
}
export interface GetMarketsAnswer {
  success: boolean
  data: Market[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    total_events: number
    total_selections: number
    rate_limit?: {
      limit: number
      remaining: number
      reset: number
    }
  }
}
export interface Market {
  id: string
  numerical_id: number | null
  market_type: string
  name: string
  label: string
  description: string
  hasLine: boolean
  examples: string[]
  sports: string[]
  event_count: number | null
  selection_count: number | null
}
export interface GetTeamsAnswer {
  success: boolean
  data: Team[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    sport_filter: string | null
    league_filter: string | null
    query: string | null
    total_events: number
    total_live: number
  }
}
export interface Team {
  id: string
  numerical_id: number
  name: string
  abbreviation: string | null
  logo: string | null
  city: string | null
  mascot: string | null
  conference: string | null
  division: string | null
  sport: string
  leagues: string[]
  aliases: string[]
  event_count: number
  live_count: number
}
export interface GetOddsAnswer {
  success: boolean
  data: OddsListItem[]
  pagination: {
    limit: number
    offset: number
    count: number
    total: number
    has_more: boolean
    next_offset: number | null
    next_cursor: string | null
  }
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: {
      limit: number
      offset: number
      count: number
      total: number
      has_more: boolean
      next_offset: number | null
      next_cursor: string | null
    }
    updated_at: string | null
    updated: string | null
    books_available: string[]
    books_returned: string[]
    group_by?: 'event'
    overflow?: boolean
    store?: {
      ready: boolean
      reason: 'no_match' | 'store_empty'
    }
    as_of?: string
    archived_until?: string | null
  }
  overflow?: boolean
}
export interface OddsListItem {
  id?: string
  sportsbook?: string
  sportsbook_name?: string
  event_id?: string
  sport?: string
  league?: string
  home_team?: string
  away_team?: string
  market_type?: string
  selection?: string
  selection_type?: string
  line?: number | null
  event_start_time?: string
  player_name?: string
  deep_link?: string
  stat_category?: string
  last_seen_at?: string
  timestamp?: string
  odds_changed_at?: string | null
  odds_american?: number
  odds_decimal?: number
  odds_probability?: number
  probability?: number
  is_live?: boolean
  is_active?: boolean
  status?: 'upcoming' | 'live'
  max_bet?: number
  public_bet_pct?: number
  is_stale_pregame_price?: boolean
  withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
  is_main_line?: boolean
  is_alternate_line?: boolean
  event_name?: string
  start_time?: string
  odds_total?: number
  partial?: boolean
  odds?: OddsSomeFields[]
}
export interface OddsSomeFields {
  id?: string
  sportsbook?: string
  sportsbook_name?: string
  event_id?: string
  sport?: string
  league?: string
  home_team?: string
  away_team?: string
  market_type?: string
  selection?: string
  selection_type?: string
  line?: number | null
  event_start_time?: string
  player_name?: string
  deep_link?: string
  stat_category?: string
  last_seen_at?: string
  timestamp?: string
  odds_changed_at?: string | null
  odds_american?: number
  odds_decimal?: number
  odds_probability?: number
  probability?: number
  is_live?: boolean
  is_active?: boolean
  status?: 'upcoming' | 'live'
  max_bet?: number
  public_bet_pct?: number
  is_stale_pregame_price?: boolean
  withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
  is_main_line?: boolean
  is_alternate_line?: boolean
}
export interface GetOddsDeltaAnswer {
  success: boolean
  data: OddsSomeFields[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    server_time: string
    position?: string | null
    books_changed: string[]
  }
  removed: string[]
  removed_truncated?: boolean
  since_clamped?: boolean
  overflow: boolean
}
export interface GetOddsBestAnswer {
  success: boolean
  data: BestOddsItem[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    as_of?: string
    archived_until?: string | null
  }
}
export interface BestOddsItem {
  id: string
  event_id: string
  event_name: string
  sport: string
  league: string
  home_team: string
  away_team: string
  market_type: string
  selection: string
  selection_type: string
  line: number | null
  best_odds: {
    american: number
    decimal: number
    odds_probability: number
    probability: number
  }
  best_book: string
  all_books: {
    book: string
    sportsbook: string
    odds: {
      american: number
      decimal: number
    }
    edge: number
    line: number | null
    last_seen_at: string
    odds_changed_at: string | null
    withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
  }[]
  last_seen_at: string
  player_name?: string
  stat_category?: string
  sportsbook: string
  odds_american: number
  odds_decimal: number
  odds_probability: number
  probability: number
  event_start_time: string
  is_live: boolean
  withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
}
export interface GetOddsComparisonAnswer {
  success: boolean
  data: Comparison
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    market_filter: string[] | null
    as_of?: string
    archived_until?: string | null
  }
}
export interface Comparison {
  event_id: string
  event_name: string
  sport: string
  league: string
  home_team: string
  away_team: string
  start_time: string
  status: 'upcoming' | 'live' | 'final' | 'postponed' | 'cancelled'
  is_live: boolean
  books_available: string[]
  markets: ComparedMarket[]
  id?: string
  sportsbook?: string
  market_type?: string
  selection?: string
  selection_type?: string
  line?: number | null
  odds_american?: number
  odds_decimal?: number
  odds_probability?: number
  probability?: number
  withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
}
export interface ComparedMarket {
  market_type: string
  line: number | null
  team?: 'home' | 'away'
  player_name?: string
  hold: {
    best_available: number | null
    by_book: {
      [k: string]: number
    }
  }
  selections: {
    selection: string
    selection_type: string
    line: number | null
    player_name?: string
    books: {
      [k: string]: {
        odds_american: number
        odds_decimal: number
        last_seen_at: string
        odds_changed_at: string | null
        withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
      }
    }
    best_book: string
    best_odds: number
    worst_book: string
    worst_odds: number
    spread: number
    withheld?: 'far_from_consensus' | 'market_mismatch' | 'books_disagree' | 'swapped'
  }[]
}
export interface GetOddsClosingAnswer {
  success: boolean
  data: ClosingSnapshot
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    source: 'capture'
  }
}
export interface ClosingSnapshot {
  event_id: string
  sport?: string
  league?: string
  home_team?: string
  away_team?: string
  event_start_time?: string
  captured_at?: string
  books: {
    [k: string]: ClosingLine[]
  }
}
export interface ClosingLine {
  sportsbook: string
  market_type: string
  selection: string
  selection_type: string
  line?: number
  odds_american: number
  odds_decimal: number
  player_name?: string
  stat_category?: string
}
export interface GetEventsAnswer {
  success: boolean
  data: EventItem[]
  pagination: {
    limit: number
    offset: number
    count: number
    total: number
    has_more: boolean
    next_offset: number | null
    next_cursor: string | null
  }
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: {
      limit: number
      offset: number
      count: number
      total: number
      has_more: boolean
      next_offset: number | null
      next_cursor: string | null
    }
    updated_at: string | null
    updated: string | null
  }
}
export interface EventItem {
  id: string
  external_ids: {
    [k: string]: string
  }
  sport: string
  league: string
  home_team: string
  away_team: string
  start_time: string
  status: 'upcoming' | 'live' | 'final' | 'postponed' | 'cancelled'
  is_live: boolean
  book_count: number
  market_count: number
  markets: string[]
  books: string[]
  game_state?: {
    home_score: number
    away_score: number | null
    period: string | null
    clock: string | null
    score_type: string
    possession: 'home' | 'away' | null
    is_timeout: boolean | null
    power_play: 'home' | 'away' | null
    last_play: string | null
  }
}
export interface GetEventAnswer {
  success: boolean
  data: EventDetail
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    event_id: string
  }
}
export interface EventDetail {
  id: string
  external_ids: {
    [k: string]: string
  }
  sport: string
  league: string
  league_name: string
  home_team: string
  away_team: string
  start_time: string
  status: 'upcoming' | 'live' | 'final' | 'postponed' | 'cancelled'
  is_live: boolean
  books: {
    id: string
    name: string
    market_count: number
    last_update: string
  }[]
  markets: {
    type: string
    selection_count: number
    book_count: number
  }[]
}
export interface GetEventOddsAnswer {
  success: boolean
  data: EventOddsItem[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    event_id: string
  }
}
export interface EventOddsItem {
  id: string
  sportsbook: string
  event_id: string
  market_type: string
  selection: string
  selection_type: string
  odds: {
    american: number
    decimal: number
    odds_probability: number
    probability: number
  }
  odds_american: number
  odds_decimal: number
  odds_probability: number
  probability: number
  line: number | null
  player_name?: string
  stat_category?: string
  event_start_time: string
  is_live: boolean
  is_active: boolean
  last_seen_at: string
  odds_changed_at: string | null
}
export interface GetEventMarketsAnswer {
  success: boolean
  data: EventMarket[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    event_id: string
  }
}
export interface EventMarket {
  type: string
  market_type: string
  market_label: string
  selection_count: number
  book_count: number
  books: string[]
  selections: {
    name: string
    type: string
    line?: number
    book_count: number
  }[]
}
export interface GetGamestateAnswer {
  success: boolean
  data: {
    [k: string]: {
      [k: string]: GameState
    }
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GameState {
  home_team: string
  away_team: string
  sport: string
  league: string
  home_score: number
  away_score: number
  is_live: boolean
  primary_book: string
  book_count: number
  game_period?: string
  game_clock?: string
  possession?: 'home' | 'away'
  server?: 'home' | 'away'
  last_play?: string
  is_timeout?: boolean
  fouls_home?: number
  fouls_away?: number
  corners_home?: number
  corners_away?: number
  yellow_cards_home?: number
  yellow_cards_away?: number
  red_cards_home?: number
  red_cards_away?: number
  power_play?: 'home' | 'away'
  sets_home?: number
  sets_away?: number
  hits_home?: number
  hits_away?: number
  home_pitcher?: string
  away_pitcher?: string
  wickets_home?: number
  wickets_away?: number
  overs?: number
  batting_team?: 'home' | 'away'
  in_play?: {
    outs: number
    balls: number
    strikes: number
    runners: {
      first: boolean
      second: boolean
      third: boolean
    }
  }
  stale?: boolean
  aggregator_stale?: boolean
}
export interface GetOddsHistoryAnswer {
  success: boolean
  data: PriceChange[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    price: {
      id: string
      sportsbook: string
      event_id: string
      sport: string
      league: string
      home_team: string
      away_team: string
      event_start_time: string
      market_type: string
      selection: string
      selection_type: string
      line: number | null
      player_name: string | null
      stat_category: string | null
    }
  }
}
export interface PriceChange {
  at: string
  odds_american: number
  odds_decimal: number
  odds_probability: number
  is_live: boolean
  is_active: boolean
  changed: ('listed' | 'price' | 'live' | 'active' | 'details' | 'withdrawn')[]
}
export interface GetEventHistoryAnswer {
  success: boolean
  data: EventHistoryItem[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    event: {
      event_id: string
      sport: string
      league: string
      home_team: string
      away_team: string
      event_start_time: string
      status: string
    }
  }
}
export interface EventHistoryItem {
  id: string
  sportsbook: string
  market_type: string
  selection: string
  selection_type: string
  line: number | null
  player_name: string | null
  open: {
    at: string
    odds_american: number
    odds_decimal: number
    odds_probability: number
  }
  moves: {
    at: string
    odds_american: number
    odds_decimal: number
    odds_probability: number
    is_live: boolean
  }[]
  course?: {
    at: string
    odds_american: number | null
    odds_decimal: number | null
    is_live: boolean
  }[]
  move_count: number
  last: {
    at: string
    odds_american: number
    odds_decimal: number
    odds_probability: number
  }
  is_withdrawn: boolean
  close: {
    at: string
    odds_american: number
    odds_decimal: number
    odds_probability: number
    no_vig_probability: number | null
  } | null
  close_missing: string | null
}
export interface GetMovementsAnswer {
  success: boolean
  data: Movement[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface Movement {
  event_id: string
  sport: string
  league: string
  home_team: string
  away_team: string
  event_start_time: string
  market_type: string
  selection: string
  selection_type: string
  line: number | null
  player_name: string | null
  direction: 'shortened' | 'drifted'
  began_at: string
  ended_at: string
  book_count: number
  move_count: number
  moves: {
    id: string
    sportsbook: string
    at: string
    from_decimal: number
    odds_american: number
    odds_decimal: number
    odds_probability: number
    points: number
    is_live: boolean
  }[]
}
export interface GetOpportunitiesEvAnswer {
  success: boolean
  data: EvOpportunity[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    source: string
    last_update: string | null
    summary: {
      count: number
      avg_ev: number
      max_ev: number
      by_sportsbook: {
        [k: string]: number
      }
      by_sport: {
        [k: string]: number
      }
      by_market: {
        [k: string]: number
      }
    }
  }
}
export interface EvOpportunity {
  id: string
  event_id: string
  event_name: string
  sport: string
  league: string
  market_type: string
  home_team: string
  away_team: string
  start_time: string
  is_live: boolean
  is_player_prop: boolean
  player_name: string | null
  stat_category: string | null
  warnings: string[]
  detected_at: string
  game_id: string
  game: string
  market: string
  external_event_id: string | null
  selection_id: string | null
  odds_id: string
  ev_percentage: number
  ev_percent: number
  odds_american: number
  odds_decimal: number
  no_vig_odds: number
  fair_probability: number
  market_width: number
  devig_method: 'power'
  sharp_book: string
  devig_book: string
  sharp_odds_american?: number
  sharp_odds_decimal?: number
  selection: string
  line: number | null
  sportsbook: string
  confidence_score: number
  confidence: number
  kelly_percent: number
  book_count: number
  arb_available: boolean
  arb_profit: number | null
  is_alternate_line: boolean
  possibly_stale: boolean
  oldest_odds_age_seconds: number
  deep_link: string | null
}
export interface GetOpportunitiesArbitrageAnswer {
  success: boolean
  data: ArbitrageOpportunity[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    source: string
    books_analyzed: number
    summary: {
      count: number
      avg_profit: number
      max_profit: number
      by_market: {
        [k: string]: number
      }
      by_sport: {
        [k: string]: number
      }
    }
  }
}
export interface ArbitrageOpportunity {
  id: string
  event_id: string
  event_name: string
  sport: string
  league: string
  market_type: string
  home_team: string
  away_team: string
  start_time: string
  is_live: boolean
  is_player_prop: boolean
  player_name: string | null
  stat_category: string | null
  warnings: string[]
  detected_at: string
  line: number | null
  profit_percent: number
  implied_total: number
  is_alternate_line: boolean
  is_cross_line: boolean
  possibly_stale: boolean
  oldest_odds_age_seconds: number
  ev_available: boolean
  ev_percentage: number | null
  /**
   * @minItems 2
   * @maxItems 3
   */
  legs:
    | [
        {
          sportsbook: string
          selection: string
          line: number | null
          odds_american: number
          odds_decimal: number
          implied_probability: number
          stake_percent: number
          timestamp: string
          external_event_id: string | null
          selection_id: string | null
          market_id: string | null
          odds_id: string
          deep_link: string | null
        },
        {
          sportsbook: string
          selection: string
          line: number | null
          odds_american: number
          odds_decimal: number
          implied_probability: number
          stake_percent: number
          timestamp: string
          external_event_id: string | null
          selection_id: string | null
          market_id: string | null
          odds_id: string
          deep_link: string | null
        }
      ]
    | [
        {
          sportsbook: string
          selection: string
          line: number | null
          odds_american: number
          odds_decimal: number
          implied_probability: number
          stake_percent: number
          timestamp: string
          external_event_id: string | null
          selection_id: string | null
          market_id: string | null
          odds_id: string
          deep_link: string | null
        },
        {
          sportsbook: string
          selection: string
          line: number | null
          odds_american: number
          odds_decimal: number
          implied_probability: number
          stake_percent: number
          timestamp: string
          external_event_id: string | null
          selection_id: string | null
          market_id: string | null
          odds_id: string
          deep_link: string | null
        },
        {
          sportsbook: string
          selection: string
          line: number | null
          odds_american: number
          odds_decimal: number
          implied_probability: number
          stake_percent: number
          timestamp: string
          external_event_id: string | null
          selection_id: string | null
          market_id: string | null
          odds_id: string
          deep_link: string | null
        }
      ]
}
export interface GetOpportunitiesMiddlesAnswer {
  success: boolean
  data: MiddleOpportunity[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    source: string
    summary: {
      count: number
    }
  }
}
export interface MiddleOpportunity {
  id: string
  event_id: string
  event_name: string
  sport: string
  league: string
  market_type: string
  home_team: string
  away_team: string
  start_time: string
  is_live: boolean
  is_player_prop: boolean
  player_name: string | null
  stat_category: string | null
  warnings: string[]
  detected_at: string
  side1: {
    book: string
    selection: string
    line: number | null
    odds: {
      american: number
      decimal: number
      probability: number
      fair_probability: number
    }
    odds_american: number
    odds_decimal: number
    odds_probability: number
    stake_percent: number
    odds_age_seconds: number
    odds_id: string
    deep_link: string | null
  }
  side2: {
    book: string
    selection: string
    line: number | null
    odds: {
      american: number
      decimal: number
      probability: number
      fair_probability: number
    }
    odds_american: number
    odds_decimal: number
    odds_probability: number
    stake_percent: number
    odds_age_seconds: number
    odds_id: string
    deep_link: string | null
  }
  middle_size: number
  middle_numbers: number[]
  middle_probability: number
  push_numbers: number[]
  push_probability: number
  expected_value: number
  roi_percentage: number
  worst_case_loss: number
  best_case_profit: number
  break_even_percent: number
  odds_age_seconds: number
  is_guaranteed_profit: boolean
  guaranteed_roi: number | null
  key_numbers: number[]
  key_number_probability: number
  quality_score: number
  market_overround: number
}
export interface GetOpportunitiesMiddlesSummaryAnswer {
  success: boolean
  data: {
    total: number
    positive_ev_count: number
    guaranteed_profit_count: number
    player_prop_count: number
    has_key_numbers_count: number
    by_sport: {
      [k: string]: number
    }
    by_market: {
      [k: string]: number
    }
    by_sportsbook: {
      [k: string]: number
    }
    avg_middle_size: number
    avg_probability: number
    avg_ev: number
    best_ev: {
      ev: number
      sport: string
      market: string
    } | null
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    filters: {
      [k: string]: unknown
    }
  }
}
export interface GetOpportunitiesMiddleAnswer {
  success: boolean
  data: MiddleOpportunity
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetOpportunitiesLowHoldAnswer {
  success: boolean
  data: LowHoldOpportunity[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    source: string
    summary: {
      count: number
      avg_hold: number
      min_hold: number
      by_market: {
        [k: string]: number
      }
      by_sport: {
        [k: string]: number
      }
    }
  }
}
export interface LowHoldOpportunity {
  id: string
  event_id: string
  event_name: string
  sport: string
  league: string
  market_type: string
  home_team: string
  away_team: string
  start_time: string
  is_live: boolean
  is_player_prop: boolean
  player_name: string | null
  stat_category: string | null
  warnings: string[]
  detected_at: string
  line: number | null
  hold_percentage: number
  side1: {
    selection: string
    books: string[]
    line: number | null
    odds: {
      american: number
      decimal: number
      implied_probability: number
      probability: number
      fair_probability: number
    }
    deep_links: {
      [k: string]: string
    }
  }
  side2: {
    selection: string
    books: string[]
    line: number | null
    odds: {
      american: number
      decimal: number
      implied_probability: number
      probability: number
      fair_probability: number
    }
    deep_links: {
      [k: string]: string
    }
  }
  side3: {
    selection: string
    books: string[]
    line: number | null
    odds: {
      american: number
      decimal: number
      implied_probability: number
      probability: number
      fair_probability: number
    }
    deep_links: {
      [k: string]: string
    }
  } | null
  is_alternate_line: boolean
  all_books: string[]
  confidence: number
  odds_age_seconds: number
  possibly_stale: boolean
}
export interface GetOpportunitiesLivesAnswer {
  success: boolean
  data: {
    id: string
    kind: 'ev' | 'arbitrage' | 'middle' | 'low_hold'
    event_id: string
    sport: string
    league: string
    home_team: string
    away_team: string
    event_start_time: string
    market_type: string
    player_name: string | null
    is_live: boolean
    is_mismatch_suspected: boolean
    sharp_books: string[]
    detected: {
      at: string
      worth_percent: number
    }
    peak: {
      at: string
      worth_percent: number
    }
    gone: {
      at: string
      worth_percent: number
    }
    lasted_seconds: number
    why:
      'over' | 'started' | 'withdrawn' | 'suspended' | 'unseen' | 'doubted' | 'replaced' | 'moved'
    legs: {
      odds_id: string
      sportsbook: string
      selection_type: string
      line: number | null
      detected: {
        odds_american: number
        odds_decimal: number
        odds_probability: number
      }
      peak: {
        odds_american: number
        odds_decimal: number
        odds_probability: number
      }
      gone: {
        odds_american: number
        odds_decimal: number
        odds_probability: number
      }
    }[]
  }[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface GetOpportunityExplainAnswer {
  success: boolean
  data: {
    id: string
    kind: 'ev' | 'arbitrage' | 'middle' | 'low_hold'
    event_id: string
    event_name: string
    market_type: string
    line: number | null
    is_live: boolean
    detected_at: string
    as_of: {
      time: string
      server_time: string
      position: {
        epoch: string
        offsets: {
          [k: string]: number[]
        }
      } | null
    }
    quotes: {
      role: 'leg' | 'reference' | 'other_side'
      sportsbook: string
      selection: string
      line: number | null
      is_hidden: boolean
      odds_id?: string
      odds_decimal?: number
      odds_american?: number
      implied_probability?: number
      fee?: {
        on: 'net_winnings' | 'contract'
        rate: number
        odds_after_fee: number
      }
      max_bet?: number | null
      last_seen_at?: string
      age_seconds?: number
      odds_changed_at?: string | null
      changed_in_board_at?: string
      external_event_id?: string | null
      selection_id?: string | null
      market_id?: string | null
    }[]
    result: {
      [k: string]: unknown
    }
    stakes: {
      rule: 'equal_return' | 'kelly'
      asked: number
      unit: number
      kelly_part: number | null
      total: number
      legs: {
        sportsbook: string
        selection: string
        max_bet: number | null
        stake: number
        profit: number
      }[]
      worst_profit: number
      expected_profit: number | null
      limited_by: string | null
    }
    devig: {
      sportsbook: string | null
      answers: string[]
      overround: number
      methods: {
        power: {
          parameter: number | null
          fair_probabilities: number[]
          fair_odds_decimal?: number
          ev_percentage?: number
          kelly_percent?: number
        } | null
        multiplicative: {
          parameter: number | null
          fair_probabilities: number[]
          fair_odds_decimal?: number
          ev_percentage?: number
          kelly_percent?: number
        } | null
        additive: {
          parameter: number | null
          fair_probabilities: number[]
          fair_odds_decimal?: number
          ev_percentage?: number
          kelly_percent?: number
        } | null
        shin: {
          parameter: number | null
          fair_probabilities: number[]
          fair_odds_decimal?: number
          ev_percentage?: number
          kelly_percent?: number
        } | null
        odds_ratio: {
          parameter: number | null
          fair_probabilities: number[]
          fair_odds_decimal?: number
          ev_percentage?: number
          kelly_percent?: number
        } | null
      }
    }[]
    ends: {
      cause:
        | 'price_falls'
        | 'price_is_withdrawn'
        | 'better_price_elsewhere'
        | 'not_seen_again'
        | 'event_starts'
      sportsbook: string | null
      odds_id: string | null
      to_odds_decimal: number | null
      at: string | null
    }[]
    is_mismatch_suspected: boolean
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetFuturesAnswer {
  success: boolean
  data: Future[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface Future {
  market_id: string
  display_name: string
  sport: string
  league: string
  future_type: 'TEAM' | 'PLAYER' | 'OVER_UNDER' | 'YES_NO'
  selection_count: number
  books_available: string[]
}
export interface GetFuturesOddsAnswer {
  success: boolean
  data: FutureOddsItem[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface FutureOddsItem {
  id: string
  selection: string
  sportsbook: string
  odds_american: number
  odds_decimal: number
  probability: number
  odds_probability: number
  line?: number
  is_active: boolean
  future_type: 'TEAM' | 'PLAYER' | 'OVER_UNDER' | 'YES_NO'
  future_market_id: string
  future_market_name: string
  sport: string
  league: string
  event_start_time: string | null
  timestamp: string
  deep_link?: string
}
export interface GetFuturesComparisonAnswer {
  success: boolean
  data: FutureComparison
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface FutureComparison {
  market_id: string
  display_name: string
  sport: string
  league: string
  future_type: 'TEAM' | 'PLAYER' | 'OVER_UNDER' | 'YES_NO'
  books_available: string[]
  selections: {
    selection: string
    line?: number
    books: {
      [k: string]: {
        odds_american: number
        odds_decimal: number
        is_active: boolean
        timestamp: string
      }
    }
    best_book: string | null
    best_odds: number | null
    worst_book: string | null
    worst_odds: number | null
  }[]
}
export interface GetHistoricalClvAnswer {
  success: boolean
  data: Clv
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    source: 'archive'
    tier_window_days: number
    filters: Filters
    phase: number
    archive?: {
      records_behind: number
      seconds_behind: number | null
    }
  }
}
export interface Clv {
  group_by: 'sportsbook' | 'sport' | 'league' | 'market' | 'day'
  groups: {
    group_key?: string
    samples?: number
    events?: number
    avg_clv_percent?: number
    avg_clv_interval?: {
      low: number
      high: number
    } | null
    avg_abs_clv_percent?: number
    avg_abs_clv_interval?: {
      low: number
      high: number
    } | null
    distinct_books?: number
    distinct_sports?: number
  }[]
  date_range: {
    from: string
    to: string
  }
  total_events: number
  comparable_events: number
  not_comparable_events: {
    no_close: number
    no_reference: number
    no_equal_line: number
  }
  sharp_reference: string
  references: {
    sportsbook: string
    samples: number
    events: number
    from: string
    to: string
  }[]
  missing_closes: {
    [k: string]: number
  }
}
export interface GetHistoricalOddsClosingAnswer {
  success: boolean
  data: ClosingDay
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    source: 'archive'
    tier_window_days: number
    filters: Filters
  }
}
export interface ClosingDay {
  date: string
  sport: string
  league: string
  events: {
    event_id: string
    sport: string
    league: string
    home_team: string
    away_team: string
    event_start_time: string
    first_captured_at: string
    books: {
      book: string
      captured_at: string
      lines: {
        market_type: string
        selection: string
        selection_type: string
        line: number | null
        odds_american: number
        odds_decimal: number
        implied_probability: number
        no_vig_probability: number | null
        player_name?: string
        stat_category?: string
        timestamp: string
      }[]
    }[]
  }[]
  total_events: number
  total_lines: number
}
export interface GetSplitsAnswer {
  success: boolean
  data: Splits[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
  }
}
export interface Splits {
  event_id: string
  sport: string
  league: string
  sportsbook: string
  away_team: string
  home_team: string
  spread: {
    away_odds: number | null
    home_odds: number | null
    handle_pct: SideShares | null
    bets_pct: SideShares | null
  } | null
  total: TotalSplits | null
  moneyline: MoneylineSplits | null
  fetched_at: string
}
export interface SideShares {
  away: number
  home: number
}
export interface TotalSplits {
  line: number | null
  handle_pct: TotalShares | null
  bets_pct: TotalShares | null
}
export interface TotalShares {
  over: number
  under: number
}
export interface MoneylineSplits {
  away_odds: number | null
  home_odds: number | null
  handle_pct: SideShares | null
  bets_pct: SideShares | null
}
export interface GetSplitsHistoryAnswer {
  success: boolean
  data: SplitsEntry[]
  meta: {
    event_id: string
    count: number
    total: number
    books: string[]
    oldest: string | null
    newest: string | null
    filters: Filters
    updated_at: string | null
  }
}
export interface SplitsEntry {
  book: string
  ts: string
  timestamp: number
  event_id: string
  spread: {
    away_line: number | null
    home_line: number | null
    handle_pct: SideShares | null
    bets_pct: SideShares | null
  } | null
  total: TotalSplits | null
  moneyline: MoneylineSplits | null
}
export interface GetDeeplinksAnswer {
  success: boolean
  data: {
    id: string
    deep_links: {
      [k: string]: string
    }
    redirect: string
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetAccountAnswer {
  success: boolean
  data: {
    key: {
      id: string
      tier: 'free' | 'hobby' | 'pro' | 'sharp' | 'enterprise'
      user_id: string
    }
    limits: {
      requests_per_minute: number
      max_streams: number
      odds_delay_seconds: number
      max_books: number
    }
    features: {
      [k: string]: boolean
    }
    addons: ('streaming' | 'game_state')[]
    add_ons: ('streaming' | 'game_state')[]
    key_id: string
    tier: 'free' | 'hobby' | 'pro' | 'sharp' | 'enterprise'
    rate_limit: {
      requests_per_minute: number
      max_books: number
    }
    streaming: {
      enabled: boolean
      max_connections: number
    }
    streaming_trial?: {
      active: boolean
      eligible: boolean
      used: boolean
      activated_at?: string
      expires_at?: string
      remaining_hours: number
    }
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetAccountUsageAnswer {
  success: boolean
  data: {
    requests: {
      today: number
      this_week: number
      this_month: number
      limit: {
        per_minute: number
        remaining: number
        resets_at: string
      }
    }
    streams: {
      active: number
      max: number
    }
    period: {
      start: string
      end: string
    }
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
  }
}
export interface GetAccountKeysAnswer {
  success: boolean
  data: ApiKey[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    max_keys: number
  }
}
export interface ApiKey {
  id: string
  id_masked: string
  name: string | null
  tier: 'free' | 'hobby' | 'pro' | 'sharp' | 'enterprise'
  is_active: boolean
  created_at: string
  updated_at: string
  max_streams?: number
  key_preview: string
}
export interface GetAccountBetsAnswer {
  success: boolean
  data: Bet[]
  pagination: Pagination
  updated_at: string | null
  meta: {
    count: number
    total: number
    filters: Filters
    pagination: Pagination
    updated_at: string | null
    updated: string | null
    max_bets: number
  }
}
export interface Bet {
  id: string
  placed_at: string
  created_at: string
  event_id: string | null
  home_team: string | null
  away_team: string | null
  start_time: string | null
  league: string | null
  sport: string | null
  market: string
  selection: string
  line: number | null
  player_name: string | null
  odds_decimal: number
  odds_american: number
  stake: number
  sportsbook: string
  reference: string | null
  found: {
    event_id: string
    league: string
    sport: string
    market_type: string
    selection: string
    line: number | null
    player_name: string | null
  } | null
}
export interface GetAccountBetsClvAnswer {
  success: boolean
  data: {
    sharp_reference: string[]
    sharp_references: {
      [k: string]: number
    }
    total: {
      bets: number
      with_clv: number
      events: number
      beat_close: number
      stake: number
      stake_with_clv: number
      avg_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      stake_weighted_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
    }
    by_sportsbook: {
      bets: number
      with_clv: number
      events: number
      beat_close: number
      stake: number
      stake_with_clv: number
      avg_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      stake_weighted_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      group_key: string
    }[]
    by_market: {
      bets: number
      with_clv: number
      events: number
      beat_close: number
      stake: number
      stake_with_clv: number
      avg_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      stake_weighted_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      group_key: string
    }[]
    by_month: {
      bets: number
      with_clv: number
      events: number
      beat_close: number
      stake: number
      stake_with_clv: number
      avg_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      stake_weighted_clv: {
        percent: number
        low: number | null
        high: number | null
      } | null
      group_key: string
    }[]
    reasons: {
      [k: string]: number
    }
    bets: BetClv[]
  }
  updated_at: string | null
  meta: {
    updated_at: string | null
    updated: string | null
    pagination: Pagination
    filters: {
      [k: string]: unknown
    }
    archive?: {
      records_behind: number
      seconds_behind: number | null
    }
  }
}
export interface BetClv {
  id: string
  placed_at: string
  created_at: string
  event_id: string | null
  home_team: string | null
  away_team: string | null
  start_time: string | null
  league: string | null
  sport: string | null
  market: string
  selection: string
  line: number | null
  player_name: string | null
  odds_decimal: number
  odds_american: number
  stake: number
  sportsbook: string
  reference: string | null
  found: {
    event_id: string
    league: string
    sport: string
    market_type: string
    selection: string
    line: number | null
    player_name: string | null
  } | null
  clv_percent: number | null
  reason:
    | 'no_such_event'
    | 'several_events'
    | 'selection_unknown'
    | 'archive_not_ready'
    | 'placed_after_start'
    | 'no_close_yet'
    | 'archive_behind'
    | 'close_not_kept'
    | 'no_reference'
    | 'no_price_at_line'
    | 'not_devigged'
    | 'withdrawn'
    | 'suspended'
    | 'never_priced'
    | 'late_listing'
    | 'postponed'
    | 'start_corrected'
    | 'misplaced'
    | null
  close: {
    sportsbook: string
    start_time: string
    odds_decimal: number | null
    odds_american: number | null
    no_vig_probability: number | null
    missing:
      | 'withdrawn'
      | 'suspended'
      | 'never_priced'
      | 'late_listing'
      | 'postponed'
      | 'start_corrected'
      | 'misplaced'
      | null
  } | null
  sportsbook_clv_percent: number | null
  sportsbook_close: {
    sportsbook: string
    start_time: string
    odds_decimal: number | null
    odds_american: number | null
    no_vig_probability: number | null
    missing:
      | 'withdrawn'
      | 'suspended'
      | 'never_priced'
      | 'late_listing'
      | 'postponed'
      | 'start_corrected'
      | 'misplaced'
      | null
  } | null
}
