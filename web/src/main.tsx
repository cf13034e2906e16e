// SPDX-License-Identifier: MIT
import 'virtual:tokens.css';
import './theme/base.css';
import './parts/parts.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { MirrorContext } from './stream/hooks';
import { Mirror } from './stream/mirror';
import { eventSource } from './stream/source';
import { applyTheme } from './theme/theme';

applyTheme();
const mirror = new Mirror();
mirror.follow(eventSource('events'));

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MirrorContext.Provider value={mirror}>
        <App />
      </MirrorContext.Provider>
    </StrictMode>,
  );
