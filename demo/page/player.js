// The player: which clips are shown, where the time stands, and how the camera goes along. No buttons here (controls.js).
var Shosa = Shosa || {};

(function () {
  const kLooks = [
    { body: '#dfe3e8', joint: '#4b78d8', foot: '#8f9aa8' },
    { body: '#f0d9bd', joint: '#d9822b', foot: '#b09a80' },
    { body: '#d5e6d3', joint: '#7a5bd0', foot: '#97a795' },
    { body: '#eccfd6', joint: '#c2476d', foot: '#b0939a' },
  ];
  Shosa.lookColor = (index) => kLooks[index % kLooks.length].joint;
  Shosa.speeds = [0.1, 0.25, 0.5, 1, 2, 4];

  Shosa.Player = class {
    constructor(library, canvas) {
      this.library = library;
      this.stage = new Shosa.Stage(canvas);
      this.canvas = canvas;
      this.actors = [];
      this.time_s = 0;
      this.duration_s = 0;
      this.playing = false;
      this.speed = 1;
      this.loop = true;
      this.follow = true;
      this.view = 'single';
      this.pan = new THREE.Vector3();
      this.listeners = [];
      this.drawn = 0;
      this.past = null;
      const tick = (now) => {
        this.tick(now);
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }

    onChange(listener) {
      this.listeners.push(listener);
    }
    changed() {
      this.dirty = true;
      for (const listener of this.listeners) listener();
    }

    /// Shows a figure. `options`: view (single, side, overlay), chosen (place of the single clip in the figure's list).
    load(id, options) {
      const figure = this.library.figure(id);
      if (!figure || !figure.clips.length) throw new Error('no clips in figure ' + id);
      const same = this.figure === figure, wanted = options || {};
      this.figure = figure;
      this.chosen = Math.min(wanted.chosen || 0, figure.clips.length - 1);
      this.view = figure.clips.length < 2 ? 'single' : wanted.view || (same ? this.view : figure.clips.length <= 3 ? 'side' : 'single');
      this.fill();
      if (!same) {
        this.time_s = 0;
        this.pan.set(0, 0, 0);
      }
      this.seek(this.time_s);
      if (!same || wanted.frame) this.frameCamera();
    }

    fill() {
      for (const actor of this.actors) {
        this.stage.bodies.remove(actor.root);
        actor.dispose();
      }
      const places = this.view === 'single' ? [this.chosen] : this.figure.clips.map((_, place) => place);
      this.actors = places.map((place) => {
        const clip = this.library.clip(this.figure.clips[place]);
        const look = Object.assign({ ghost: this.view === 'overlay' && place !== this.chosen }, kLooks[place % kLooks.length]);
        const body = new Shosa.Body(clip, look);
        body.place = place;
        this.stage.bodies.add(body.root);
        return body;
      });
      this.duration_s = Math.max(...this.actors.map((actor) => actor.clip.last_s));
      this.lead = this.actors.find((actor) => actor.place === this.chosen) || this.actors[0];
      Object.assign(this, this.lead.clip.way || (this.lead.clip.way = this.measure(this.lead)));
      this.arrange();
      this.ground_m = Math.min(...this.actors.map((actor) => actor.clip.meta.ground_m));
      this.stage.setGround(this.ground_m);
      this.block_list = this.blocks();
      this.stage.setBlocks(this.block_list);
    }

    /// The way of a body: where it goes, smoothed for the camera, its extent, and how it faces.
    measure(body) {
      const last_s = body.clip.last_s, box = new THREE.Box3(), raw = [];
      const path_step_s = Math.max(1 / 30, last_s / 3000);
      for (let t = 0; t < last_s + path_step_s; t += path_step_s) {
        body.pose(t);
        raw.push(body.middle());
        box.expandByPoint(raw[raw.length - 1]);
      }
      const half = Math.round(0.3 / path_step_s), end = raw.length - 1;
      // Before the first and after the last sample the body is thought to go on as it did.
      const at = (k) => k < 0 ? raw[0].clone().multiplyScalar(2).sub(raw[Math.min(-k, end)])
        : k > end ? raw[end].clone().multiplyScalar(2).sub(raw[Math.max(2 * end - k, 0)]) : raw[k];
      const path = raw.map((_, i) => {
        const sum = new THREE.Vector3();
        let weights = 0;
        for (let d = -half; d <= half; ++d) {
          const weight = 1 + Math.cos(Math.PI * d / (half + 1));
          sum.addScaledVector(at(i + d), weight);
          weights += weight;
        }
        return sum.divideScalar(weights);
      });
      body.pose(0);
      return { path, path_step_s, home: box.getCenter(new THREE.Vector3()), extent: box.getSize(new THREE.Vector3()).setY(0).length(),
        heading: this.headingOf(body, raw[end].clone().sub(raw[0]).setY(0)), scale: body.clip.skeleton.scale };
    }

    headingOf(body, way) {
      if (way.length() > 0.6) return way.normalize();
      const roles = body.clip.skeleton.roles;
      const at = (role) => roles[role] === undefined ? null : new THREE.Vector3().setFromMatrixPosition(body.objects[roles[role]].matrixWorld);
      const l = at('left_upper_leg'), r = at('right_upper_leg');
      return l && r ? new THREE.Vector3().crossVectors(l.sub(r), new THREE.Vector3(0, 1, 0)).setY(0).normalize() : new THREE.Vector3(0, 0, 1);
    }

    /// Side by side: across the way that the leading body takes.
    arrange() {
      const across = new THREE.Vector3(this.heading.z, 0, -this.heading.x), gap = 1.25 * this.scale;
      this.actors.forEach((actor, n) => {
        const place = this.view === 'side' ? (n - (this.actors.length - 1) / 2) * gap : 0;
        actor.root.position.copy(across).multiplyScalar(-place);
      });
    }

    blocks() {
      const list = [], seen = new Set();
      for (const actor of this.actors) {
        for (const foot of actor.clip.meta.feet) {
          for (const [begin, end, ground] of foot.stances) {
            const height = ground - this.stage.ground;
            if (height < 0.03) continue;
            actor.pose((begin + end) / 2);
            const heel = new THREE.Vector3().setFromMatrixPosition(actor.objects[foot.joint].matrixWorld);
            const tip = actor.objects[foot.joint].children.find((o) => o.isObject3D && !o.isMesh);
            const ahead = tip ? new THREE.Vector3().setFromMatrixPosition(tip.matrixWorld).sub(heel).setY(0) : this.heading.clone();
            const at = heel.addScaledVector(ahead, 0.5), key = [at.x, ground, at.z].map((x) => x.toFixed(1)).join();
            if (seen.has(key)) continue;
            seen.add(key);
            list.push({ at, height, heading: Math.atan2(ahead.x, ahead.z) });
          }
        }
      }
      return list;
    }

    frameCamera() {
      const o = this.stage.orbit, wide = this.view === 'side' ? 0.55 * (this.actors.length - 1) : 0;
      const quadruped = this.lead.clip.skeleton.kind === 'quadruped';
      o.azimuth = Math.atan2(this.heading.x, this.heading.z) + (this.view === 'side' ? 0.62 : 0.95);
      o.elevation = 0.2;
      this.pan.set(0, 0, 0);
      const narrow = Math.max(1, 1.25 / this.stage.camera.aspect);
      o.distance = (3.9 * this.scale + 2.2 * wide) * (quadruped ? 0.72 : 1) * narrow + (this.follow ? 0 : 0.9 * this.extent);
      this.aim();
      this.changed();
    }

    setView(view) {
      this.load(this.figure.id, { view, chosen: this.chosen, frame: true });
    }
    choose(place) {
      this.load(this.figure.id, { view: this.view, chosen: place });
    }
    setFollow(on) {
      this.follow = on;
      this.frameCamera();
    }

    /// Looks at the body's smoothed way, or at the middle of it all. A function of the time alone: no lag, no bob.
    aim() {
      const target = this.stage.orbit.target;
      if (this.follow) {
        const at = Math.min(this.time_s / this.path_step_s, this.path.length - 1), k = Math.floor(at);
        target.copy(this.path[k]).lerp(this.path[Math.min(k + 1, this.path.length - 1)], at - k);
      } else {
        target.copy(this.home);
      }
      const low = this.stage.ground + 0.92 * this.scale * (this.lead.clip.skeleton.kind === 'quadruped' ? 0.55 : 1);
      target.y = Math.max(low, target.y - 0.1 * this.scale);
      target.add(this.pan);
    }

    seek(time_s) {
      this.time_s = Math.min(Math.max(time_s, 0), this.duration_s);
      for (const actor of this.actors) actor.pose(this.time_s);
      this.changed();
    }
    step(frames) {
      const step_s = this.lead.clip.step_s;
      this.playing = false;
      this.seek((Math.round(this.time_s / step_s) + frames) * step_s);
    }
    setPlaying(on) {
      if (on && !this.loop && this.time_s >= this.duration_s - 1e-6) this.time_s = 0;
      this.playing = on;
      this.changed();
    }

    tick(now) {
      const passed_s = this.past === null ? 0 : Math.min((now - this.past) / 1000, 0.25);
      this.past = now;
      if (!this.figure || !this.visible()) return;
      if (this.playing) {
        let time_s = this.time_s + passed_s * this.speed;
        if (time_s >= this.duration_s) {
          if (this.loop && this.duration_s > 0) {
            time_s %= this.duration_s;
          } else {
            time_s = this.duration_s;
            this.playing = false;
          }
        }
        this.seek(time_s);
      }
      if (!this.dirty) return;
      this.dirty = false;
      this.aim();
      this.stage.render();
      this.drawn += 1;
    }

    visible() {
      const box = this.canvas.getBoundingClientRect();
      return box.bottom > 0 && box.top < window.innerHeight && box.width > 0 && !document.hidden;
    }

    /// A small picture of a figure, drawn with the one renderer and copied before it is shown.
    snapshot(id, width, height) {
      const names = ['figure', 'view', 'chosen', 'time_s', 'duration_s', 'actors', 'lead', 'path', 'path_step_s', 'home', 'extent', 'heading', 'scale', 'ground_m', 'block_list'];
      const keep = {}, orbit = Object.assign({}, this.stage.orbit, { target: this.stage.orbit.target.clone() }), pan = this.pan.clone();
      for (const name of names) keep[name] = this[name];
      for (const actor of this.actors) this.stage.bodies.remove(actor.root);
      const listeners = this.listeners;
      Object.assign(this, { figure: null, actors: [], listeners: [] });
      this.load(id);
      this.seek(0.45 * this.duration_s);
      this.aim();
      this.stage.render();
      const picture = document.createElement('canvas');
      picture.width = width;
      picture.height = height;
      const from = this.canvas, share = Math.min(from.width / width, from.height / height);
      picture.getContext('2d').drawImage(from, (from.width - share * width) / 2, (from.height - share * height) / 2, share * width, share * height, 0, 0, width, height);

      for (const actor of this.actors) {
        this.stage.bodies.remove(actor.root);
        actor.dispose();
      }
      Object.assign(this, keep, { listeners });
      this.pan.copy(pan);
      Object.assign(this.stage.orbit, orbit);
      if (this.figure) {
        for (const actor of this.actors) this.stage.bodies.add(actor.root);
        this.stage.setGround(this.ground_m);
        this.stage.setBlocks(this.block_list);
        this.stage.render();
      }
      return picture;
    }
  };
})();
